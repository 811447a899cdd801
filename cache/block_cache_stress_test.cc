// Many threads on one cache; meant for the sanitizers.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cache/block_cache.h"
#include "shale/cache/lru_block_cache.h"

namespace shale {
namespace {

constexpr int kThreads = 6;
constexpr int kSteps = 4000;
constexpr uint64_t kFiles = 4;
constexpr uint64_t kBlocks = 200;

std::string BytesOf(BlockKey key) {
  const size_t length = key.offset % 50 == 0 ? 200'000 : key.offset * 50;
  return absl::StrCat(key.file, ":", key.offset, std::string(length, 'b'));
}

class BlockCacheStressTest : public testing::TestWithParam<int> {
 protected:
  void Step(Random& random) {
    const BlockKey key{1 + random.Uniform(kFiles), random.Uniform(kBlocks)};
    const uint64_t action = random.Uniform(1000);
    if (action < 5) {
      ++files_evicted_;
      cache_.EvictFile(key.file);
    } else if (action < 50) {
      EXPECT_TRUE(
          cache_.Insert(key, BlockKind::kIndex,
                        std::make_shared<const std::string>(BytesOf(key))) ||
          cache_.Stats().refused > 0);
    } else if (action < 200) {
      ++reads_;
      const BlockRef block = cache_.Lookup(key, BlockKind::kData);
      EXPECT_TRUE(block == nullptr || *block == BytesOf(key));
    } else if (action < 210) {
      EXPECT_LE(cache_.Stats().resident_bytes, 1 << 20);
    } else {
      Read(key, action % 5 == 0, action % 31 == 0);
    }
  }

  void Read(BlockKey key, bool no_fill, bool fail) {
    ++reads_;
    const absl::StatusOr<BlockRef> block = cache_.GetOrLoad(
        key, BlockKind::kData, no_fill ? CacheFill::kNoFill : CacheFill::kFill,
        [&]() -> absl::StatusOr<std::string> {
          ++loads_;
          if (fail) return absl::UnavailableError("no disk");
          return BytesOf(key);
        });
    if (block.ok()) {
      EXPECT_EQ(**block, BytesOf(key));
    } else {
      EXPECT_THAT(block, StatusIs(absl::StatusCode::kUnavailable));
    }
  }

  LruBlockCache cache_{{.capacity_bytes = 1 << 20, .shards = GetParam()}};
  std::atomic<int64_t> reads_{0};
  std::atomic<int64_t> loads_{0};
  std::atomic<int64_t> files_evicted_{0};
};

INSTANTIATE_TEST_SUITE_P(Shards, BlockCacheStressTest, testing::Values(1, 16));

TEST_P(BlockCacheStressTest, KeepsItsPromisesUnderManyThreads) {
  const uint64_t seed = TestSeed();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, seed, i] {
      Random random(seed + i);
      for (int step = 0; step < kSteps; ++step) Step(random);
    });
  }
  for (std::thread& thread : threads) thread.join();

  BlockCacheStats stats = cache_.Stats();
  EXPECT_EQ(stats.hits[0] + stats.misses[0], reads_);
  EXPECT_LE(loads_, stats.misses[0]);
  EXPECT_GT(stats.hits[0], 0);
  EXPECT_GT(stats.evictions, 0);
  EXPECT_EQ(stats.pinned_bytes, 0);
  for (uint64_t file = 1; file <= kFiles; ++file) cache_.EvictFile(file);
  stats = cache_.Stats();
  EXPECT_EQ(stats.resident_blocks, 0);
  EXPECT_EQ(stats.resident_bytes, 0);
}

}  // namespace
}  // namespace shale
