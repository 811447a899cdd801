#ifndef SHALE_CACHE_BLOCK_CACHE_H_
#define SHALE_CACHE_BLOCK_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// A block by the file that holds it, as numbered by NewFileId(), and its
// offset.
struct BlockKey {
  uint64_t file = 0;
  uint64_t offset = 0;

  friend bool operator==(BlockKey, BlockKey) = default;
  template <typename H>
  friend H AbslHashValue(H state, BlockKey key) {
    return H::combine(std::move(state), key.file, key.offset);
  }
};

enum class BlockKind { kData, kIndex, kBloom, kMeta };
inline constexpr size_t kBlockKinds = 4;

// "data", "index", "bloom", "meta".
absl::string_view BlockKindName(BlockKind kind);

// Bytes of a block, checked and unpacked. Immutable and shared: they stay valid
// while any BlockRef lives, evicted or not, and even after the cache is gone.
using BlockRef = std::shared_ptr<const std::string>;

// What a reader wants of the cache.
enum class CacheFill {
  // A block that had to be read is kept, one that was there counts as used.
  kFill,
  // Neither: scans of everything, compaction.
  kNoFill,
};

// Counts since the cache was made; the resident and pinned ones are of now.
struct BlockCacheStats {
  // By BlockKind. A reader that waits for another's load has missed, too.
  int64_t hits[kBlockKinds] = {};
  int64_t misses[kBlockKinds] = {};
  // Blocks that became resident, and those dropped again to make room; dropping
  // a file's blocks is no eviction.
  int64_t inserts = 0;
  int64_t evictions = 0;
  // Blocks not kept although wanted: too large, or no room could be made.
  int64_t refused = 0;
  // Blocks with their keys and the cache's bookkeeping.
  int64_t resident_bytes = 0;
  int64_t resident_blocks = 0;
  // Referenced by readers, resident or not.
  int64_t pinned_bytes = 0;
  int64_t capacity_bytes = 0;
};

// Keeps blocks of store files in memory; knows no file format.
//
// Invariants:
//   C1. Resident bytes never exceed the capacity; a block that can't fit is
//       handed to its reader but not kept. A block may be evicted while readers
//       hold it: then it is pinned, no longer resident, and freed by the last.
//   C2. Several readers missing one block cause one load; all get its result.
//   C3. After EvictFile returns no block of that file is resident, and loads of
//       it that were under way do not bring one back.
//
// Thread-safe. A seam: its policies (lru) differ in what they evict.
class BlockCache {
 public:
  virtual ~BlockCache() = default;

  // A number for a file, never given twice by this cache; never 0.
  virtual uint64_t NewFileId() = 0;

  // The block, or null. Counts a hit or a miss.
  virtual BlockRef Lookup(BlockKey key, BlockKind kind) = 0;

  // The block, from the cache or by `load`, which runs in one of the threads
  // that want it while the others wait; no lock is held meanwhile. An error of
  // `load` goes to all of them and nothing is kept. The block is kept if any of
  // them wants that. `load` must not ask for the same block.
  virtual absl::StatusOr<BlockRef> GetOrLoad(
      BlockKey key, BlockKind kind, CacheFill fill,
      absl::FunctionRef<absl::StatusOr<std::string>()> load) = 0;

  // Puts a block in, as when it is written. If it is there already nothing
  // changes. False if it was refused; then no reference to it is left.
  virtual bool Insert(BlockKey key, BlockKind kind, BlockRef block) = 0;

  // Drops every block of `file`, in time proportional to their number.
  virtual void EvictFile(uint64_t file) = 0;

  // Whether the block is resident. Counts nothing and doesn't use the block.
  virtual bool Contains(BlockKey key) const = 0;

  // Takes time proportional to the resident blocks. While other threads use the
  // cache the figures are of slightly different moments.
  virtual BlockCacheStats Stats() const = 0;
};

// How much memory a block cache takes, and in how many parts.
struct BlockCacheOptions {
  // What blocks, keys and bookkeeping may take together. Range [1 MiB, ...).
  int64_t capacity_bytes = 256 << 20;
  // A block with more bytes than this is not kept: it would push out too many
  // others. Range [0, ...).
  int64_t max_block_bytes = 16 << 20;
  // Locks to spread the blocks over, rounded up to a power of two; 0 chooses by
  // the capacity. Range [0, 1024].
  int shards = 0;
};

// The policy bound by --//cache:policy.
std::unique_ptr<BlockCache> NewBlockCache(const BlockCacheOptions& options);

}  // namespace shale

#endif  // SHALE_CACHE_BLOCK_CACHE_H_
