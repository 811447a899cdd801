#ifndef SHALE_TOOLS_SHALE_TESTING_TOOL_TEST_H_
#define SHALE_TOOLS_SHALE_TESTING_TOOL_TEST_H_

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// What a run of the tool came to.
struct ToolRun {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs `shale ARGUMENTS` in this process, in `directory`, as from a script:
// stderr is no terminal.
ToolRun RunTool(const std::string& directory,
                const std::vector<std::string>& arguments);

// The bytes of every file under `directory`, by path; a directory is "(dir)".
std::map<std::string, std::string> Snapshot(const std::string& directory);

// A test with an empty directory of its own, in which the tool is run.
class ToolTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  ToolRun Run(const std::vector<std::string>& arguments) {
    return RunTool(work_, arguments);
  }
  // Runs it and expects exit code 0; gives what it printed.
  std::string Printed(const std::vector<std::string>& arguments);
  // Runs it and expects `exit_code`, nothing on stdout and one line on stderr,
  // which is given.
  std::string Refused(int exit_code, const std::vector<std::string>& arguments);

  // Makes a file in the directory.
  void WriteFile(const std::string& name, const std::string& bytes);

  // The directory. Stores are made under it: --dir=store.
  std::string work_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_TESTING_TOOL_TEST_H_
