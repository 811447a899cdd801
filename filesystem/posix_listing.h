#ifndef SHALE_FILESYSTEM_POSIX_LISTING_H_
#define SHALE_FILESYSTEM_POSIX_LISTING_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// One page of FileSystem::List: the first `max_entries` files below the
// directory `root` whose names begin with `prefix` and come after `cursor`.
// Names that begin with a dot are left out.
absl::StatusOr<FileListing> ListPosixFiles(int root, absl::string_view prefix,
                                           absl::string_view cursor,
                                           size_t max_entries);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POSIX_LISTING_H_
