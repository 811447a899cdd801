#include "shale/tools/shale/testing/tool_test.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/tools/console/console.h"
#include "shale/tools/shale/run.h"

namespace shale {

ToolRun RunTool(const std::string& directory,
                const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  ManualClock clock;
  Console console{out, err, /*terminal_columns=*/0, directory, clock};
  ToolRun run;
  run.exit_code = RunShale(arguments, console);
  run.out = out.str();
  run.err = err.str();
  return run;
}

std::map<std::string, std::string> Snapshot(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    std::string& bytes = files[entry.path()];
    if (entry.is_directory()) {
      bytes = "(dir)";
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  return files;
}

void ToolTest::SetUp() {
  work_ = testing::TempDir() + "/tool.XXXXXX";
  ASSERT_NE(mkdtemp(work_.data()), nullptr);
}

void ToolTest::TearDown() { std::filesystem::remove_all(work_); }

std::string ToolTest::Printed(const std::vector<std::string>& arguments) {
  const ToolRun run = Run(arguments);
  EXPECT_EQ(run.exit_code, kExitDone)
      << "shale " << absl::StrJoin(arguments, " ") << "\n"
      << run.err;
  EXPECT_EQ(run.err, "");
  return run.out;
}

std::string ToolTest::Refused(int exit_code,
                              const std::vector<std::string>& arguments) {
  const ToolRun run = Run(arguments);
  EXPECT_EQ(run.exit_code, exit_code)
      << "shale " << absl::StrJoin(arguments, " ");
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(absl::StartsWith(run.err, "shale: ")) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  return run.err;
}

void ToolTest::WriteFile(const std::string& name, const std::string& bytes) {
  std::ofstream out(work_ + "/" + name, std::ios::binary);
  out << bytes;
  ASSERT_TRUE(out.flush()) << name;
}

}  // namespace shale
