// What memory and posix have in common: limits, and checks with their messages.
#ifndef SHALE_FILESYSTEM_STATE_CHECKS_H_
#define SHALE_FILESYSTEM_STATE_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// Entries in a page of a listing.
inline constexpr size_t kListPageEntries = 1000;

// kInvalid if a metadata object of `bytes` is too large.
absl::Status CheckMetaSize(absl::string_view name, size_t bytes);

// kConflict unless an object at version `current` may be replaced by a commit
// that expects `expected`.
absl::Status CheckMetaVersion(absl::string_view name, MetaVersion current,
                              MetaVersion expected);

// The epoch for an owner of `directory` after one of epoch `last`; kInvalid if
// that is the largest there is.
absl::StatusOr<uint64_t> EpochAbove(absl::string_view directory, uint64_t last);

// The kConflict error of Acquire or Share, `op`, for a directory that `owner`
// holds.
absl::Status OwnedError(absl::string_view op, absl::string_view directory,
                        absl::string_view owner);
// The error of Acquire while `readers` hold shared leases of `directory`.
absl::Status SharedError(absl::string_view directory,
                         absl::string_view readers);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_STATE_CHECKS_H_
