#ifndef SHALE_FILESYSTEM_TESTING_TEMP_DIRECTORY_H_
#define SHALE_FILESYSTEM_TESTING_TEMP_DIRECTORY_H_

#include <map>
#include <string>

#include "shale/base/cxx_standard.h"

namespace shale {

// A new, empty directory of the machine, removed with all that is in it.
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::string& path() const { return path_; }

  // Everything in it by relative path: a file's bytes, "/" for a directory;
  // each with its mode, and time of change. For "nothing was changed".
  std::map<std::string, std::string> Snapshot() const;

 private:
  std::string path_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TESTING_TEMP_DIRECTORY_H_
