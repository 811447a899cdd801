#include "shale/filesystem/file_name.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "shale/base/escape.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

constexpr size_t kMaxPartBytes = 255;
constexpr size_t kMaxNameBytes = 2048;

// What is wrong with one part of a name; empty if nothing.
absl::string_view FlawOf(absl::string_view part) {
  if (part.empty()) return "has an empty part";
  if (part.size() > kMaxPartBytes) return "has a part of more than 255 bytes";
  if (part[0] == '.') return "has a part that begins with a dot";
  if (absl::StrContains(part, '\0')) return "has a zero byte";
  return "";
}

}  // namespace

absl::Status CheckFileName(absl::string_view op, absl::string_view name) {
  if (name.size() > kMaxNameBytes) {
    return FileError(FileOutcome::kInvalid, op,
                     EscapeBytes(name.substr(0, 255)),
                     "the name has more than 2048 bytes");
  }
  for (const absl::string_view part : absl::StrSplit(name, '/')) {
    const absl::string_view flaw = FlawOf(part);
    if (!flaw.empty()) {
      return FileError(FileOutcome::kInvalid, op,
                       absl::StrCat("\"", EscapeBytes(name), "\""),
                       absl::StrCat("the name ", flaw));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDirectoryName(absl::string_view op,
                                absl::string_view directory) {
  return directory.empty() ? absl::OkStatus() : CheckFileName(op, directory);
}

bool IsWithinDirectory(absl::string_view name, absl::string_view directory) {
  if (directory.empty()) return true;
  return name.size() > directory.size() && name[directory.size()] == '/' &&
         absl::StartsWith(name, directory);
}

absl::string_view DirectoryOf(absl::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == name.npos ? absl::string_view() : name.substr(0, slash);
}

absl::string_view LastPartOf(absl::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == name.npos ? name : name.substr(slash + 1);
}

}  // namespace shale
