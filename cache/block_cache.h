#ifndef SHALE_CACHE_BLOCK_CACHE_H_
#define SHALE_CACHE_BLOCK_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shale {

// A block by the file that holds it, as numbered by NewFileId(), and its offset.
struct BlockKey {
  uint64_t file = 0;
  uint64_t offset = 0;
  friend bool operator==(BlockKey, BlockKey) = default;
};

enum class BlockKind { kData, kIndex, kBloom, kMeta };

// Bytes of a block, checked and unpacked. Immutable and shared: they stay valid
// while any BlockRef lives, evicted or not.
using BlockRef = std::shared_ptr<const std::string>;

// What a reader wants of the cache.
enum class CacheFill {
  kFill,    // A block that had to be read is kept.
  kNoFill,  // It isn't: scans of everything, compaction.
};

struct BlockCacheStats {
  int64_t hits[4] = {};  // By BlockKind.
  int64_t misses[4] = {};
  int64_t inserts = 0;
  int64_t evictions = 0;
  int64_t refused = 0;  // Larger than the cache takes.
  int64_t resident_bytes = 0;
  int64_t resident_blocks = 0;
  int64_t pinned_bytes = 0;  // Referenced by readers, resident or not.
  int64_t capacity_bytes = 0;
};

// Keeps blocks of store files in memory; knows no file format.
//
// Invariants:
//   C1. Resident bytes stay within 5 % of the capacity under any load; a block
//       that can't fit is handed to its reader but not kept.
//   C2. Several readers missing one block cause one load; all get its result.
//   C3. After EvictFile returns no block of that file is resident, and loads of
//       it that were under way do not bring one back.
//
// Thread-safe. A seam: its policies (lru, tinylfu) differ in what they evict.
class BlockCache {
 public:
  virtual ~BlockCache() = default;

  // A number for a file, never given twice by this cache.
  virtual uint64_t NewFileId() = 0;

  // The block, or null. Counts a hit or a miss.
  virtual BlockRef Lookup(BlockKey key, BlockKind kind) = 0;

  // The block, from the cache or by `load`, which runs in one of the threads
  // that want it while the others wait. An error of `load` goes to all of them
  // and nothing is kept.
  virtual absl::StatusOr<BlockRef> GetOrLoad(
      BlockKey key, BlockKind kind, CacheFill fill,
      absl::FunctionRef<absl::StatusOr<std::string>()> load) = 0;

  // Puts a block in, as when it is written. If it is there already nothing
  // changes. False if it was refused.
  virtual bool Insert(BlockKey key, BlockKind kind, BlockRef block) = 0;

  // Drops every block of `file`, in time proportional to their number.
  virtual void EvictFile(uint64_t file) = 0;

  virtual bool Contains(BlockKey key) const = 0;
  virtual BlockCacheStats Stats() const = 0;
};

struct BlockCacheOptions {
  // Range [1 MiB, ...). What blocks, keys and bookkeeping may take together.
  int64_t capacity_bytes = 256 << 20;
  // Rounded up to a power of two; 0 chooses by the capacity.
  int shards = 0;
};

// The policy bound by --//cache:policy.
std::unique_ptr<BlockCache> NewBlockCache(const BlockCacheOptions& options);

}  // namespace shale

#endif  // SHALE_CACHE_BLOCK_CACHE_H_
