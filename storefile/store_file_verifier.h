#ifndef SHALE_STOREFILE_STORE_FILE_VERIFIER_H_
#define SHALE_STOREFILE_STORE_FILE_VERIFIER_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "shale/storefile/block_file.h"

namespace shale {

// StoreFileReader::Verify of a file that could be opened. Reads each block
// once, in memory a block of each level and twenty bytes for each block of the
// file.
absl::Status VerifyStoreFile(const BlockFile& file,
                             const std::function<void(uint64_t)>& progress);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_VERIFIER_H_
