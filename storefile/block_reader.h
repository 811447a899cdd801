#ifndef SHALE_STOREFILE_BLOCK_READER_H_
#define SHALE_STOREFILE_BLOCK_READER_H_

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/block_file.h"
#include "shale/storefile/block_format.h"

namespace shale {

// Reads the blocks of one file through the block cache. Thread-safe.
class BlockReader {
 public:
  // `cache` outlives this; `file_id` is from its NewFileId().
  BlockReader(BlockFile file, uint64_t file_id, BlockCache& cache)
      : file_(std::move(file)), file_id_(file_id), cache_(cache) {}

  const BlockFile& file() const { return file_; }
  uint64_t file_id() const { return file_id_; }

  absl::StatusOr<BlockRef> Read(BlockHandle block, BlockKind kind,
                                CacheFill fill) const {
    return cache_.GetOrLoad(BlockKey{file_id_, block.offset}, kind, fill,
                            [&] { return file_.Read(block, kind); });
  }

 private:
  const BlockFile file_;
  const uint64_t file_id_;
  BlockCache& cache_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_READER_H_
