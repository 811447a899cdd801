// How a store file is laid out, for people who inspect one.
#ifndef SHALE_STOREFILE_STORE_FILE_LAYOUT_H_
#define SHALE_STOREFILE_STORE_FILE_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/read_file.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

// One block, in the order of the file.
struct StoreFileBlock {
  uint64_t offset = 0;
  BlockKind kind = BlockKind::kData;
  Compression compression = Compression::kNone;
  // On disk with header and checksum, and unpacked.
  uint64_t file_bytes = 0;
  uint64_t raw_bytes = 0;
  // Cells of a data block, entries of an index block, else 0.
  uint64_t entries = 0;
  // Encoded (cell_key.h), of data and index blocks: an index block's is the
  // separator of the first block that it leads to. Else empty.
  std::string first_key;
};

struct StoreFileLayout {
  uint32_t version = 0;
  StoreFileInfo info;
  // Offsets of what the footer points to; 0 without cells or bloom.
  uint64_t index_root_offset = 0;
  uint64_t bloom_root_offset = 0;
  uint64_t info_offset = 0;
  uint64_t footer_offset = 0;
  int index_levels = 0;
  int bloom_levels = 0;
};

// Opens as OpenStoreFile does, then reads the blocks front to back, each
// checked against its checksum, and calls `visit` for each until that or a
// block fails. Knows nothing of the index: it gets as far as the file is sound.
absl::StatusOr<StoreFileLayout> ReadStoreFileLayout(
    std::unique_ptr<ReadFile> file, std::string name,
    absl::FunctionRef<absl::Status(const StoreFileBlock&)> visit);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_LAYOUT_H_
