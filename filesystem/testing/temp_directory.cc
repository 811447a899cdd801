#include "shale/filesystem/testing/temp_directory.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"

namespace shale {

TempDirectory::TempDirectory() : path_(testing::TempDir() + "/shale-XXXXXX") {
  SHALE_CHECK(mkdtemp(path_.data()) != nullptr) << path_;
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;  // What stays lies in the test's own directory.
  std::filesystem::remove_all(path_, ignored);
}

std::map<std::string, std::string> TempDirectory::Snapshot() const {
  std::map<std::string, std::string> snapshot;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(path_)) {
    std::string bytes = "/";
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    struct stat info;
    SHALE_CHECK(stat(entry.path().c_str(), &info) == 0) << entry.path();
    snapshot[std::filesystem::relative(entry.path(), path_).string()] =
        absl::StrCat("mode ", info.st_mode, " changed ", info.st_ctim.tv_sec,
                     ".", info.st_ctim.tv_nsec, ": ", bytes);
  }
  return snapshot;
}

}  // namespace shale
