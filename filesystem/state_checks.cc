#include "shale/filesystem/state_checks.h"

#include "absl/strings/str_cat.h"
#include "shale/filesystem/outcome.h"

namespace shale {

absl::Status CheckMetaSize(absl::string_view name, size_t bytes) {
  if (bytes <= kMaxMetaBytes) return absl::OkStatus();
  return FileError(FileOutcome::kInvalid, "commit", name,
                   absl::StrCat(bytes, " bytes, want at most ", kMaxMetaBytes));
}

absl::Status CheckMetaVersion(absl::string_view name, MetaVersion current,
                              MetaVersion expected) {
  if (current == expected) return absl::OkStatus();
  return FileError(
      FileOutcome::kConflict, "commit", name,
      absl::StrCat("version ", current.value, ", want ", expected.value));
}

absl::Status OwnedError(absl::string_view directory, absl::string_view owner) {
  return FileError(
      FileOutcome::kConflict, "acquire",
      directory.empty() ? absl::string_view("the root directory") : directory,
      absl::StrCat("owned by ", owner));
}

absl::Status SharedError(absl::string_view directory) {
  return FileError(
      FileOutcome::kConflict, "acquire",
      directory.empty() ? absl::string_view("the root directory") : directory,
      "somebody is reading it for inspection");
}

}  // namespace shale
