#ifndef SHALE_CACHE_LRU_SHARD_H_
#define SHALE_CACHE_LRU_SHARD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "shale/cache/block_cache.h"
#include "shale/cache/intrusive_list.h"

namespace shale {

// One load of a block under way, shared by the reader that runs it and those
// that wait for it.
struct BlockLoad {
  absl::Notification done;
  // Written by the loader before `done`, read after it.
  absl::StatusOr<BlockRef> result;
};

// A block as the cache holds it.
struct ChargedBlock {
  BlockRef block;
  int64_t charge = 0;
};

// A part of an LRU cache under one lock: blocks by key, by last use and by
// file, and the loads under way. Knows nothing of the capacity. Thread-safe; no
// method waits, and no block is freed under the lock: what leaves is returned.
class LruShard {
 public:
  LruShard() = default;
  LruShard(const LruShard&) = delete;
  LruShard& operator=(const LruShard&) = delete;
  ~LruShard();

  // The most memory that an entry takes beside its block.
  static size_t EntryBytes();

  BlockRef Lookup(BlockKey key, BlockKind kind) ABSL_LOCKS_EXCLUDED(mu_);

  struct Found {
    BlockRef block = nullptr;  // If resident; otherwise the load to wait for,
    std::shared_ptr<BlockLoad> load = nullptr;
    bool is_loader = false;  // or, if this is true, to run and to end.
  };
  Found FindOrBeginLoad(BlockKey key, BlockKind kind, CacheFill fill)
      ABSL_LOCKS_EXCLUDED(mu_);

  // These end a load without notifying its waiters. The first does so if its
  // block isn't wanted here: all its readers are no-fill, or EvictFile or
  // Insert has come between; otherwise it returns false and changes nothing.
  bool EndUnwantedLoad(BlockKey key, const BlockLoad& load)
      ABSL_LOCKS_EXCLUDED(mu_);
  void EndFailedLoad(BlockKey key, const BlockLoad& load)
      ABSL_LOCKS_EXCLUDED(mu_);
  // Makes `block` resident; false if it isn't wanted any more.
  bool EndLoad(BlockKey key, const BlockLoad& load, ChargedBlock block)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Makes `block` resident; false, and nothing changes, if the key has one.
  bool Insert(BlockKey key, ChargedBlock block) ABSL_LOCKS_EXCLUDED(mu_);

  // Takes out the block that was not used for longest.
  std::optional<ChargedBlock> EvictOldest() ABSL_LOCKS_EXCLUDED(mu_);
  // Takes out all blocks of a file, and makes its loads under way unwanted.
  std::vector<ChargedBlock> EvictFile(uint64_t file) ABSL_LOCKS_EXCLUDED(mu_);

  bool Contains(BlockKey key) const ABSL_LOCKS_EXCLUDED(mu_);

  void CountRefused() ABSL_LOCKS_EXCLUDED(mu_);

  // Adds what this shard knows: counts, and as `pinned_bytes` the charges of
  // resident blocks that readers hold.
  void AddStats(BlockCacheStats* stats) const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct ByUse;
  struct ByFile;
  // A resident block, or a load under way: then it is in no list by use.
  struct Entry : ListLink<ByUse>, ListLink<ByFile> {
    BlockKey key;
    ChargedBlock held;
    std::shared_ptr<BlockLoad> load;
    bool keep = false;  // Some reader of the load wants it kept.
  };
  using FileList = IntrusiveList<Entry, ByFile>;

  Entry* Find(BlockKey key) const ABSL_SHARED_LOCKS_REQUIRED(mu_);
  Entry* FindLoad(BlockKey key, const BlockLoad& load) const
      ABSL_SHARED_LOCKS_REQUIRED(mu_);
  Entry& Add(BlockKey key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void MakeResident(Entry& entry, ChargedBlock block)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Touch(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Takes the entry out of all lists and destroys it; its block, if any, is
  // returned.
  ChargedBlock Remove(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // Order: leaf; taken alone, never with that of another shard.
  mutable absl::Mutex mu_;
  absl::flat_hash_map<BlockKey, std::unique_ptr<Entry>> entries_
      ABSL_GUARDED_BY(mu_);
  // Resident blocks, most recently used first.
  IntrusiveList<Entry, ByUse> by_use_ ABSL_GUARDED_BY(mu_);
  // A file is here as long as it has entries.
  absl::node_hash_map<uint64_t, FileList> by_file_ ABSL_GUARDED_BY(mu_);
  // The counts; the rest stays zero.
  BlockCacheStats stats_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_CACHE_LRU_SHARD_H_
