#include "shale/cache/lru_block_cache.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/numeric/bits.h"
#include "shale/base/check.h"

namespace shale {
namespace {

constexpr int64_t kMinCapacityBytes = 1 << 20;
constexpr int kMaxShards = 1024;
// Unless the options say otherwise: enough shards that threads seldom meet in
// one, each large enough that its own order of use is close to the whole's.
constexpr int64_t kBytesPerShard = 16 << 20;
constexpr int64_t kMaxDefaultShards = 64;

size_t ShardCount(const BlockCacheOptions& options) {
  SHALE_CHECK(options.shards >= 0 && options.shards <= kMaxShards)
      << options.shards << " shards";
  if (options.shards > 0) {
    return absl::bit_ceil(static_cast<unsigned>(options.shards));
  }
  return absl::bit_floor(static_cast<uint64_t>(std::clamp<int64_t>(
      options.capacity_bytes / kBytesPerShard, 1, kMaxDefaultShards)));
}

// Owns a block together with its part of the bytes that are alive.
class AliveBlock {
 public:
  AliveBlock(BlockRef block, int64_t charge,
             std::shared_ptr<std::atomic<int64_t>> alive_bytes)
      : block_(std::move(block)),
        charge_(charge),
        alive_bytes_(std::move(alive_bytes)) {
    alive_bytes_->fetch_add(charge_, std::memory_order_relaxed);
  }
  AliveBlock(const AliveBlock&) = delete;
  AliveBlock& operator=(const AliveBlock&) = delete;
  ~AliveBlock() { alive_bytes_->fetch_sub(charge_, std::memory_order_relaxed); }

  const std::string* bytes() const { return block_.get(); }

 private:
  const BlockRef block_;
  const int64_t charge_;
  const std::shared_ptr<std::atomic<int64_t>> alive_bytes_;
};

// All that the cache allocates for a block.
int64_t ChargeOf(const std::string& block) {
  // A shared object and its two counts with their virtual table.
  constexpr size_t kSharedBytes = 16;
  const size_t inline_bytes = std::string().capacity();
  const size_t heap_bytes =
      block.capacity() > inline_bytes ? block.capacity() + 1 : 0;
  return static_cast<int64_t>(heap_bytes + kSharedBytes + sizeof(std::string) +
                              kSharedBytes + sizeof(AliveBlock) +
                              LruShard::EntryBytes());
}

}  // namespace

LruBlockCache::LruBlockCache(const BlockCacheOptions& options)
    : options_(options),
      shards_(ShardCount(options)),
      alive_bytes_(std::make_shared<std::atomic<int64_t>>(0)) {
  SHALE_CHECK(options.capacity_bytes >= kMinCapacityBytes)
      << "capacity of " << options.capacity_bytes << " bytes";
  SHALE_CHECK(options.max_block_bytes >= 0)
      << "largest block of " << options.max_block_bytes << " bytes";
}

uint64_t LruBlockCache::NewFileId() {
  return next_file_id_.fetch_add(1, std::memory_order_relaxed);
}

BlockRef LruBlockCache::Lookup(BlockKey key, BlockKind kind) {
  return shards_[ShardIndex(key)].Lookup(key, kind);
}

absl::StatusOr<BlockRef> LruBlockCache::GetOrLoad(
    BlockKey key, BlockKind kind, CacheFill fill,
    absl::FunctionRef<absl::StatusOr<std::string>()> load) {
  LruShard& shard = shards_[ShardIndex(key)];
  const LruShard::Found found = shard.FindOrBeginLoad(key, kind, fill);
  if (found.block != nullptr) return found.block;
  if (!found.is_loader) {
    found.load->done.WaitForNotification();
    return found.load->result;
  }
  absl::StatusOr<std::string> bytes = load();
  if (bytes.ok()) {
    const ChargedBlock block =
        Track(std::make_shared<const std::string>(*std::move(bytes)));
    EndLoad(key, *found.load, block);
    found.load->result = block.block;
  } else {
    shard.EndFailedLoad(key, *found.load);
    found.load->result = std::move(bytes).status();
  }
  found.load->done.Notify();
  return found.load->result;
}

bool LruBlockCache::Insert(BlockKey key, BlockKind, BlockRef block) {
  SHALE_CHECK(block != nullptr);
  const size_t shard = ShardIndex(key);
  if (shards_[shard].Contains(key)) return true;
  const ChargedBlock charged = Track(std::move(block));
  if (!Reserve(shard, charged)) return false;
  if (!shards_[shard].Insert(key, charged)) Release(charged.charge);
  return true;
}

void LruBlockCache::EvictFile(uint64_t file) {
  for (LruShard& shard : shards_) {
    for (const ChargedBlock& block : shard.EvictFile(file)) {
      Release(block.charge);
    }
  }
}

bool LruBlockCache::Contains(BlockKey key) const {
  return shards_[ShardIndex(key)].Contains(key);
}

BlockCacheStats LruBlockCache::Stats() const {
  BlockCacheStats stats;
  for (const LruShard& shard : shards_) shard.AddStats(&stats);
  stats.resident_bytes = reserved_bytes_.load(std::memory_order_relaxed);
  // What is alive but not resident is alive because a reader holds it.
  stats.pinned_bytes += std::max<int64_t>(
      0, alive_bytes_->load(std::memory_order_relaxed) - stats.resident_bytes);
  stats.capacity_bytes = options_.capacity_bytes;
  return stats;
}

size_t LruBlockCache::ShardIndex(BlockKey key) const {
  // The top bits: a shard's own table goes by the low ones.
  const uint64_t hash = absl::Hash<BlockKey>()(key);
  return (hash >> 32) & (shards_.size() - 1);
}

ChargedBlock LruBlockCache::Track(BlockRef block) {
  const int64_t charge = ChargeOf(*block);
  const auto alive = std::make_shared<const AliveBlock>(std::move(block),
                                                        charge, alive_bytes_);
  return ChargedBlock{.block = BlockRef(alive, alive->bytes()),
                      .charge = charge};
}

void LruBlockCache::EndLoad(BlockKey key, const BlockLoad& load,
                            const ChargedBlock& block) {
  const size_t shard = ShardIndex(key);
  if (shards_[shard].EndUnwantedLoad(key, load)) return;
  if (!Reserve(shard, block)) {
    shards_[shard].EndFailedLoad(key, load);
  } else if (!shards_[shard].EndLoad(key, load, block)) {
    Release(block.charge);
  }
}

bool LruBlockCache::Reserve(size_t shard, const ChargedBlock& block) {
  const int64_t limit = options_.capacity_bytes - block.charge;
  bool possible = limit >= 0 && static_cast<int64_t>(block.block->size()) <=
                                    options_.max_block_bytes;
  while (possible) {
    int64_t reserved = reserved_bytes_.load(std::memory_order_relaxed);
    while (reserved <= limit) {
      if (reserved_bytes_.compare_exchange_weak(
              reserved, reserved + block.charge, std::memory_order_relaxed)) {
        return true;
      }
    }
    // Too full. If nothing is resident, the rest is about to become so.
    possible = false;
    for (size_t i = 0; i < shards_.size() && !possible; ++i) {
      const std::optional<ChargedBlock> evicted =
          shards_[(shard + i) & (shards_.size() - 1)].EvictOldest();
      if (!evicted.has_value()) continue;
      Release(evicted->charge);
      possible = true;
    }
  }
  shards_[shard].CountRefused();
  return false;
}

void LruBlockCache::Release(int64_t charge) {
  reserved_bytes_.fetch_sub(charge, std::memory_order_relaxed);
}

}  // namespace shale
