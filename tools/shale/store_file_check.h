#ifndef SHALE_TOOLS_SHALE_STORE_FILE_CHECK_H_
#define SHALE_TOOLS_SHALE_STORE_FILE_CHECK_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// Reads and checks every byte of the store file `name`, past `cache`, and that
// there are as many as its manifest says: `bytes`. Gives the number of its
// cells; an error names the file and the place. `progress`, which may be empty,
// gets bytes done.
absl::StatusOr<uint64_t> CheckStoreFile(
    FileSystem& files, absl::string_view name, uint64_t bytes,
    BlockCache& cache, const std::function<void(uint64_t)>& progress);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_STORE_FILE_CHECK_H_
