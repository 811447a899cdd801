#include "shale/tools/console/console.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace shale {

std::string ResolvePath(absl::string_view path, const Console& console) {
  if (console.working_directory.empty() || absl::StartsWith(path, "/")) {
    return std::string(path);
  }
  return absl::StrCat(console.working_directory, "/", path);
}

}  // namespace shale
