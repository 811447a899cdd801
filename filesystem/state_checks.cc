#include "shale/filesystem/state_checks.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

absl::string_view NameOf(absl::string_view directory) {
  return directory.empty() ? "the root directory" : directory;
}

}  // namespace

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

absl::StatusOr<uint64_t> EpochAbove(absl::string_view directory,
                                    uint64_t last) {
  if (last < std::numeric_limits<uint64_t>::max()) return last + 1;
  return FileError(FileOutcome::kInvalid, "acquire", NameOf(directory),
                   absl::StrCat("no epoch is larger than ", last));
}

absl::Status OwnedError(absl::string_view op, absl::string_view directory,
                        absl::string_view owner) {
  return FileError(FileOutcome::kConflict, op, NameOf(directory),
                   absl::StrCat("owned by ", owner));
}

absl::Status SharedError(absl::string_view directory,
                         absl::string_view readers) {
  return FileError(FileOutcome::kConflict, "acquire", NameOf(directory),
                   absl::StrCat(readers, " is reading it"));
}

}  // namespace shale
