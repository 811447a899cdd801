#include "shale/cache/lru_block_cache.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

constexpr int64_t kCapacity = 1 << 20;

absl::StatusOr<BlockRef> Get(BlockCache& cache, BlockKey key, size_t bytes,
                             CacheFill fill = CacheFill::kFill) {
  return cache.GetOrLoad(
      key, BlockKind::kData, fill,
      [&]() -> absl::StatusOr<std::string> { return std::string(bytes, 'x'); });
}

// A cache whose lists are plain.
class NaiveLru {
 public:
  struct Block {
    BlockKey key;
    int64_t charge;
  };

  bool Use(BlockKey key) {
    const auto found = Find(key);
    if (found == blocks_.end()) return false;
    blocks_.splice(blocks_.begin(), blocks_, found);
    return true;
  }
  void Add(BlockKey key, int64_t charge) {
    if (charge > kCapacity) return;
    bytes_ += charge;
    while (bytes_ > kCapacity) {
      bytes_ -= blocks_.back().charge;
      blocks_.pop_back();
    }
    blocks_.push_front({key, charge});
  }
  void EvictFile(uint64_t file) {
    blocks_.remove_if([&](const Block& block) {
      if (block.key.file != file) return false;
      bytes_ -= block.charge;
      return true;
    });
  }
  bool Contains(BlockKey key) { return Find(key) != blocks_.end(); }
  int64_t bytes() const { return bytes_; }

 private:
  std::list<Block>::iterator Find(BlockKey key) {
    return std::find_if(blocks_.begin(), blocks_.end(),
                        [&](const Block& block) { return block.key == key; });
  }

  std::list<Block> blocks_;
  int64_t bytes_ = 0;
};

std::unique_ptr<BlockCache> OneShard() {
  return std::make_unique<LruBlockCache>(
      BlockCacheOptions{.capacity_bytes = kCapacity, .shards = 1});
}

// What the cache takes for one block of that size.
int64_t ChargeOf(size_t bytes) {
  const auto cache = OneShard();
  cache->Insert({1, 0}, BlockKind::kData,
                std::make_shared<const std::string>(bytes, 'x'));
  return cache->Stats().resident_bytes;
}

TEST(LruBlockCacheTest, EvictsWhatWasNotUsedForLongest) {
  const auto cache = OneShard();
  const size_t bytes = kCapacity / 10 - 1000;
  for (uint64_t i = 0; i < 10; ++i) EXPECT_OK(Get(*cache, {1, i}, bytes));
  EXPECT_EQ(cache->Stats().evictions, 0);
  EXPECT_NE(cache->Lookup({1, 0}, BlockKind::kData), nullptr);
  EXPECT_OK(Get(*cache, {1, 1}, bytes, CacheFill::kNoFill));
  EXPECT_OK(Get(*cache, {1, 10}, bytes));
  EXPECT_EQ(cache->Stats().evictions, 1);
  EXPECT_TRUE(cache->Contains({1, 0})) << "a lookup is a use";
  EXPECT_FALSE(cache->Contains({1, 1})) << "a no-fill read is no use";
  EXPECT_TRUE(cache->Contains({1, 2}));
}

TEST(LruBlockCacheTest, AgreesWithANaiveLruAfterEachOperation) {
  Random random(TestSeed());
  const auto cache = OneShard();
  NaiveLru naive;
  std::vector<int64_t> charges;
  const auto bytes_of = [](BlockKey key) {
    return key.offset == 0 ? size_t{kCapacity} : key.offset * 2000;
  };
  for (uint64_t i = 0; i < 60; ++i) {
    charges.push_back(i == 0 ? 2 * kCapacity : ChargeOf(bytes_of({1, i})));
  }
  for (int step = 0; step < 5'000; ++step) {
    const BlockKey key{1 + random.Uniform(3), random.Uniform(60)};
    switch (random.Uniform(20)) {
      case 0:
        cache->EvictFile(key.file);
        naive.EvictFile(key.file);
        break;
      case 1:
      case 2:
        EXPECT_EQ(cache->Lookup(key, BlockKind::kData) != nullptr,
                  naive.Use(key));
        break;
      case 3:
      case 4:
        EXPECT_OK(Get(*cache, key, bytes_of(key), CacheFill::kNoFill));
        break;
      case 5:
      case 6:
        cache->Insert(key, BlockKind::kData,
                      std::make_shared<const std::string>(bytes_of(key), 'x'));
        if (!naive.Contains(key)) naive.Add(key, charges[key.offset]);
        break;
      default:
        EXPECT_OK(Get(*cache, key, bytes_of(key)));
        if (!naive.Use(key)) naive.Add(key, charges[key.offset]);
    }
    ASSERT_EQ(cache->Stats().resident_bytes, naive.bytes()) << "step " << step;
    for (uint64_t file = 1; file <= 3; ++file) {
      for (uint64_t i = 0; i < 60; ++i) {
        ASSERT_EQ(cache->Contains({file, i}), naive.Contains({file, i}))
            << "step " << step << " file " << file << " block " << i;
      }
    }
  }
}

TEST(LruBlockCacheTest, AFullCacheMakesRoomInOtherShardsToo) {
  LruBlockCache cache({.capacity_bytes = kCapacity, .shards = 64});
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_OK(Get(cache, {1, i}, 5000));
  EXPECT_OK(Get(cache, {2, 0}, kCapacity / 2));
  EXPECT_TRUE(cache.Contains({2, 0}));
  EXPECT_GT(cache.Stats().resident_bytes, kCapacity * 95 / 100);
  EXPECT_LE(cache.Stats().resident_bytes, kCapacity);
}

TEST(LruBlockCacheDeathTest, OptionsOutOfRangeAreABug) {
  EXPECT_DEATH(LruBlockCache({.capacity_bytes = 1000}), "capacity of 1000");
  EXPECT_DEATH(LruBlockCache({.shards = -1}), "-1 shards");
}

}  // namespace
}  // namespace shale
