#ifndef SHALE_CACHE_LRU_BLOCK_CACHE_H_
#define SHALE_CACHE_LRU_BLOCK_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "shale/cache/block_cache.h"
#include "shale/cache/lru_shard.h"

namespace shale {

// Evicts what was not used for longest. The shards share one capacity: who adds
// a block first makes room for it, in the block's own shard while that has
// anything left, then in the others. So one shard may hold any part of the
// whole, and blocks up to the capacity fit.
class LruBlockCache final : public BlockCache {
 public:
  // REQUIRES: options in range.
  explicit LruBlockCache(const BlockCacheOptions& options);

  uint64_t NewFileId() override;
  BlockRef Lookup(BlockKey key, BlockKind kind) override;
  absl::StatusOr<BlockRef> GetOrLoad(
      BlockKey key, BlockKind kind, CacheFill fill,
      absl::FunctionRef<absl::StatusOr<std::string>()> load) override;
  bool Insert(BlockKey key, BlockKind kind, BlockRef block) override;
  void EvictFile(uint64_t file) override;
  bool Contains(BlockKey key) const override;
  BlockCacheStats Stats() const override;

 private:
  size_t ShardIndex(BlockKey key) const;
  // Counts the block as alive until its last reference is gone.
  ChargedBlock Track(BlockRef block);
  // Ends a load that this thread has run, keeping its block where it should.
  void EndLoad(BlockKey key, const BlockLoad& load, const ChargedBlock& block);
  // Makes room for `block` in the budget, by evictions; false if that's not
  // possible.
  bool Reserve(size_t shard, const ChargedBlock& block);
  void Release(int64_t charge);

  const BlockCacheOptions options_;
  std::vector<LruShard> shards_;           // A power of two of them.
  std::atomic<uint64_t> next_file_id_{1};  // Pairs with nothing.
  // Charges of resident blocks and of those about to become so: never above the
  // capacity. Only a number: it publishes nothing, so relaxed will do.
  std::atomic<int64_t> reserved_bytes_{0};
  // Charges of all blocks not freed yet; blocks may outlive the cache, hence
  // shared with them. Only a number, as above.
  const std::shared_ptr<std::atomic<int64_t>> alive_bytes_;
};

}  // namespace shale

#endif  // SHALE_CACHE_LRU_BLOCK_CACHE_H_
