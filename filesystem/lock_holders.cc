#include "shale/filesystem/lock_holders.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <set>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace shale {

std::vector<int> LockHolders(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return {};
  const std::string file = absl::StrFormat("%02x:%02x:%d", major(info.st_dev),
                                           minor(info.st_dev), info.st_ino);
  std::set<int> holders;
  std::ifstream table("/proc/locks");
  for (std::string line; std::getline(table, line);) {
    // "1: FLOCK  ADVISORY  WRITE 4711 fe:00:9986051 0 EOF". Of who only waits
    // for a lock, the second word is an arrow.
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, ' ', absl::SkipEmpty());
    int pid = 0;
    if (words.size() > 5 && words[1] == "FLOCK" && words[5] == file &&
        absl::SimpleAtoi(words[4], &pid) && pid > 0) {
      holders.insert(pid);
    }
  }
  return {holders.begin(), holders.end()};
}

}  // namespace shale
