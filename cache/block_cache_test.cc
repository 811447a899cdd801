// What every policy of the block cache promises.
#include "shale/cache/block_cache.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cache/lru_block_cache.h"

namespace shale {
namespace {

using testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

struct Policy {
  const char* name;
  std::function<std::unique_ptr<BlockCache>(const BlockCacheOptions&)> make;
};

const Policy kPolicies[] = {
    {"lru",
     [](const BlockCacheOptions& options) {
       return std::make_unique<LruBlockCache>(options);
     }},
};

// By policy and number of shards.
class BlockCacheTest
    : public testing::TestWithParam<std::tuple<const Policy*, int>> {
 protected:
  std::unique_ptr<BlockCache> Make(int64_t capacity_bytes,
                                   int64_t max_block_bytes = 16 * kMiB) {
    const auto& [policy, shards] = GetParam();
    return policy->make(BlockCacheOptions{.capacity_bytes = capacity_bytes,
                                          .max_block_bytes = max_block_bytes,
                                          .shards = shards});
  }
};

INSTANTIATE_TEST_SUITE_P(Policies, BlockCacheTest,
                         testing::Combine(testing::Values(&kPolicies[0]),
                                          testing::Values(1, 8)),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param)->name,
                                               "_", std::get<1>(info.param),
                                               "_shards");
                         });

BlockRef Block(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

absl::StatusOr<BlockRef> Get(BlockCache& cache, BlockKey key,
                             const std::string& bytes,
                             CacheFill fill = CacheFill::kFill) {
  return cache.GetOrLoad(
      key, BlockKind::kData, fill,
      [&]() -> absl::StatusOr<std::string> { return bytes; });
}

// A reader that finds its block in the cache.
absl::StatusOr<std::string> NoLoad() {
  return absl::InternalError("loaded a block that should be there");
}

TEST_P(BlockCacheTest, FileIdsAreNeverGivenTwice) {
  const auto cache = Make(kMiB);
  const uint64_t first = cache->NewFileId();
  EXPECT_NE(first, 0u);
  cache->EvictFile(first);
  EXPECT_NE(cache->NewFileId(), first);
}

TEST_P(BlockCacheTest, LookupOfAnAbsentBlockIsNullAndCountsAMiss) {
  const auto cache = Make(kMiB);
  EXPECT_EQ(cache->Lookup({1, 0}, BlockKind::kBloom), nullptr);
  EXPECT_EQ(cache->Stats().misses[static_cast<int>(BlockKind::kBloom)], 1);
  EXPECT_EQ(cache->Stats().misses[static_cast<int>(BlockKind::kData)], 0);
}

TEST_P(BlockCacheTest, ALoadedBlockIsFoundAgainByItsWholeKey) {
  const auto cache = Make(kMiB);
  EXPECT_THAT(Get(*cache, {1, 7}, "one"),
              IsOkAndHolds(testing::Pointee(std::string("one"))));
  ASSERT_OK_AND_ASSIGN(
      const BlockRef again,
      cache->GetOrLoad({1, 7}, BlockKind::kData, CacheFill::kFill, NoLoad));
  EXPECT_EQ(*again, "one");
  EXPECT_EQ(cache->Lookup({1, 7}, BlockKind::kData), again);
  EXPECT_FALSE(cache->Contains({1, 8}));
  EXPECT_FALSE(cache->Contains({2, 7}));
  const BlockCacheStats stats = cache->Stats();
  EXPECT_EQ(stats.hits[static_cast<int>(BlockKind::kData)], 2);
  EXPECT_EQ(stats.misses[static_cast<int>(BlockKind::kData)], 1);
  EXPECT_EQ(stats.inserts, 1);
  EXPECT_EQ(stats.resident_blocks, 1);
}

TEST_P(BlockCacheTest, ANoFillReaderKeepsNothingButUsesWhatIsThere) {
  const auto cache = Make(kMiB);
  EXPECT_OK(Get(*cache, {1, 0}, "a", CacheFill::kNoFill));
  EXPECT_FALSE(cache->Contains({1, 0}));
  EXPECT_EQ(cache->Stats().refused, 0);
  EXPECT_OK(Get(*cache, {1, 0}, "a"));
  EXPECT_OK(
      cache->GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kNoFill, NoLoad));
}

TEST_P(BlockCacheTest, AnErrorIsReturnedAndTheNextReaderLoadsAnew) {
  const auto cache = Make(kMiB);
  EXPECT_THAT(cache->GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kFill,
                               []() -> absl::StatusOr<std::string> {
                                 return absl::DataLossError("bad block");
                               }),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("bad block")));
  EXPECT_FALSE(cache->Contains({1, 0}));
  EXPECT_OK(Get(*cache, {1, 0}, "good"));
  EXPECT_TRUE(cache->Contains({1, 0}));
}

TEST_P(BlockCacheTest, TheSecondInsertOfAKeyChangesNothing) {
  const auto cache = Make(kMiB);
  EXPECT_TRUE(cache->Insert({1, 0}, BlockKind::kIndex, Block("first")));
  const int64_t bytes = cache->Stats().resident_bytes;
  EXPECT_TRUE(cache->Insert({1, 0}, BlockKind::kIndex, Block("the second")));
  EXPECT_EQ(*cache->Lookup({1, 0}, BlockKind::kIndex), "first");
  EXPECT_EQ(cache->Stats().resident_bytes, bytes);
  EXPECT_EQ(cache->Stats().inserts, 1);
}

TEST_P(BlockCacheTest, BlocksAboveTheLargestSizeAreRefusedAndCounted) {
  const auto cache = Make(kMiB, /*max_block_bytes=*/1024);
  for (uint64_t i = 0; i < 10; ++i) {
    const BlockRef block = Block(std::string(1029, 'x'));
    EXPECT_FALSE(cache->Insert({1, i}, BlockKind::kData, block));
    EXPECT_EQ(block.use_count(), 1);
  }
  for (uint64_t i = 10; i < 25; ++i) {
    EXPECT_TRUE(
        cache->Insert({1, i}, BlockKind::kData, Block(std::string(600, 'x'))));
  }
  EXPECT_EQ(cache->Stats().resident_blocks, 15);
  EXPECT_EQ(cache->Stats().refused, 10);
}

TEST_P(BlockCacheTest, ABlockThatCanNotFitIsHandedOutButNotKept) {
  const auto cache = Make(kMiB);
  EXPECT_OK(Get(*cache, {1, 0}, "small"));
  EXPECT_OK(Get(*cache, {1, 1}, std::string(kMiB, 'x')));
  EXPECT_FALSE(cache->Contains({1, 1}));
  EXPECT_TRUE(cache->Contains({1, 0})) << "pushed out for nothing";
  EXPECT_EQ(cache->Stats().refused, 1);
}

TEST_P(BlockCacheTest, OneBlockMayTakeAlmostTheWholeCapacity) {
  const auto cache = Make(kMiB);
  for (uint64_t i = 0; i < 64; ++i) {
    EXPECT_OK(Get(*cache, {1, i}, std::string(16 << 10, 'x')));
  }
  EXPECT_OK(Get(*cache, {2, 0}, std::string(kMiB - (4 << 10), 'x')));
  EXPECT_TRUE(cache->Contains({2, 0}));
  EXPECT_LE(cache->Stats().resident_bytes, kMiB);
}

TEST_P(BlockCacheTest, UniformLoadFillsTheCacheToWithinFivePercent) {
  const auto cache = Make(4 * kMiB);
  for (uint64_t i = 0; i < 4000; ++i) {
    EXPECT_OK(Get(*cache, {1 + i % 7, i}, std::string(4096, 'x')));
    EXPECT_LE(cache->Stats().resident_bytes, 4 * kMiB);
  }
  EXPECT_GE(cache->Stats().resident_bytes, 4 * kMiB * 95 / 100);
}

TEST_P(BlockCacheTest, AnEvictedBlockLivesAsLongAsItsReaders) {
  auto cache = Make(kMiB);
  std::vector<BlockRef> pins;
  const std::string bytes(100 << 10, 'p');
  for (uint64_t i = 0; i < 30; ++i) {
    ASSERT_OK_AND_ASSIGN(BlockRef pin, Get(*cache, {1, i}, bytes));
    pins.push_back(std::move(pin));
  }
  BlockCacheStats stats = cache->Stats();
  EXPECT_LE(stats.resident_bytes, kMiB);
  EXPECT_GE(stats.pinned_bytes, static_cast<int64_t>(30 * bytes.size()));
  EXPECT_LE(stats.pinned_bytes, static_cast<int64_t>(31 * bytes.size()));
  for (const BlockRef& pin : pins) EXPECT_EQ(*pin, bytes);
  pins.resize(1);
  EXPECT_NEAR(cache->Stats().pinned_bytes, bytes.size(), 1000);
  cache.reset();
  EXPECT_EQ(*pins[0], bytes);
}

TEST_P(BlockCacheTest, NothingIsPinnedOnceReadersAreGone) {
  const auto cache = Make(kMiB);
  for (uint64_t i = 0; i < 30; ++i) {
    EXPECT_OK(Get(*cache, {1, i}, std::string(100 << 10, 'p')));
  }
  EXPECT_EQ(cache->Stats().pinned_bytes, 0);
}

TEST_P(BlockCacheTest, EvictFileDropsExactlyThatFilesBlocks) {
  const auto cache = Make(kMiB);
  for (uint64_t i = 0; i < 300; ++i) {
    EXPECT_OK(Get(*cache, {1 + i % 3, i}, "block"));
  }
  const BlockCacheStats before = cache->Stats();
  cache->EvictFile(2);
  for (uint64_t i = 0; i < 300; ++i) {
    EXPECT_EQ(cache->Contains({1 + i % 3, i}), i % 3 != 1);
  }
  EXPECT_EQ(cache->Stats().resident_blocks, 200);
  EXPECT_EQ(cache->Stats().resident_bytes * 3, before.resident_bytes * 2);
  EXPECT_EQ(cache->Stats().evictions, 0) << "dropping a file is no eviction";
  cache->EvictFile(2);
  cache->EvictFile(77);
  EXPECT_EQ(cache->Stats().resident_blocks, 200);
}

TEST_P(BlockCacheTest, AnEvictedFileCanBeFilledAgain) {
  const auto cache = Make(kMiB);
  EXPECT_OK(Get(*cache, {1, 0}, "block"));
  cache->EvictFile(1);
  EXPECT_OK(Get(*cache, {1, 0}, "block"));
  EXPECT_TRUE(cache->Contains({1, 0}));
}

TEST_P(BlockCacheTest, ALoadUnderWayDoesNotBringBackAnEvictedFile) {
  const auto cache = Make(kMiB);
  EXPECT_OK(cache->GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kFill,
                             [&]() -> absl::StatusOr<std::string> {
                               cache->EvictFile(1);
                               return "late";
                             }));
  EXPECT_FALSE(cache->Contains({1, 0}));
  EXPECT_EQ(cache->Stats().resident_blocks, 0);
}

TEST_P(BlockCacheTest, AfterEvictFileAnotherReaderLoadsAndKeeps) {
  const auto cache = Make(kMiB);
  EXPECT_OK(cache->GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kFill,
                             [&]() -> absl::StatusOr<std::string> {
                               cache->EvictFile(1);
                               EXPECT_OK(Get(*cache, {1, 0}, "new"));
                               return "old";
                             }));
  EXPECT_EQ(*cache->Lookup({1, 0}, BlockKind::kData), "new");
  EXPECT_EQ(cache->Stats().resident_blocks, 1);
}

TEST_P(BlockCacheTest, AnInsertDuringALoadStaysAndTheLoadIsNotKept) {
  const auto cache = Make(kMiB);
  ASSERT_OK_AND_ASSIGN(
      const BlockRef loaded,
      cache->GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kFill,
                       [&]() -> absl::StatusOr<std::string> {
                         EXPECT_TRUE(cache->Insert({1, 0}, BlockKind::kData,
                                                   Block("inserted")));
                         return "loaded";
                       }));
  EXPECT_EQ(*loaded, "loaded");
  EXPECT_EQ(*cache->Lookup({1, 0}, BlockKind::kData), "inserted");
  EXPECT_EQ(cache->Stats().resident_blocks, 1);
}

TEST_P(BlockCacheTest, NoLockIsHeldDuringALoad) {
  const auto cache = Make(kMiB);
  EXPECT_OK(cache->GetOrLoad(
      {1, 0}, BlockKind::kData, CacheFill::kFill,
      [&]() -> absl::StatusOr<std::string> {
        for (uint64_t i = 1; i < 50; ++i) {
          EXPECT_OK(Get(*cache, {1, i}, "x"));
          EXPECT_NE(cache->Lookup({1, i}, BlockKind::kData), nullptr);
        }
        EXPECT_EQ(cache->Lookup({1, 0}, BlockKind::kData), nullptr);
        EXPECT_EQ(cache->Stats().resident_blocks, 49);
        return "outer";
      }));
  EXPECT_EQ(cache->Stats().resident_blocks, 50);
}

// Runs readers of one cold block together: the loader goes on only once all
// others have counted their miss.
void ReadTogether(BlockCache& cache, int readers, CacheFill loader_fill,
                  const absl::StatusOr<std::string>& loaded,
                  std::vector<absl::StatusOr<BlockRef>>* results) {
  absl::Notification loading;
  std::atomic<int> loads = 0;
  results->assign(readers, absl::UnknownError("not run"));
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    (*results)[0] = cache.GetOrLoad({1, 0}, BlockKind::kData, loader_fill,
                                    [&]() -> absl::StatusOr<std::string> {
                                      ++loads;
                                      loading.Notify();
                                      while (cache.Stats().misses[0] < readers)
                                        std::this_thread::yield();
                                      return loaded;
                                    });
  });
  loading.WaitForNotification();
  for (int i = 1; i < readers; ++i) {
    threads.emplace_back([&, i] {
      (*results)[i] =
          cache.GetOrLoad({1, 0}, BlockKind::kData, CacheFill::kFill,
                          [&]() -> absl::StatusOr<std::string> {
                            ++loads;
                            return loaded;
                          });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(loads, 1);
}

TEST_P(BlockCacheTest, ManyReadersOfAColdBlockCauseOneLoad) {
  const auto cache = Make(kMiB);
  std::vector<absl::StatusOr<BlockRef>> results;
  ReadTogether(*cache, 8, CacheFill::kFill, std::string("once"), &results);
  for (const auto& result : results) {
    ASSERT_OK(result);
    EXPECT_EQ(**result, "once");
    EXPECT_EQ(*result, *results[0]) << "a second copy";
  }
  EXPECT_EQ(cache->Stats().misses[0], 8);
}

TEST_P(BlockCacheTest, AnErrorGoesToAllWhoWait) {
  const auto cache = Make(kMiB);
  std::vector<absl::StatusOr<BlockRef>> results;
  ReadTogether(*cache, 8, CacheFill::kFill, absl::UnavailableError("no disk"),
               &results);
  for (const auto& result : results) {
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kUnavailable, "no disk"));
  }
  EXPECT_EQ(cache->Stats().resident_blocks, 0);
}

TEST_P(BlockCacheTest, AReaderThatFillsMakesANoFillLoadStay) {
  const auto cache = Make(kMiB);
  std::vector<absl::StatusOr<BlockRef>> results;
  ReadTogether(*cache, 2, CacheFill::kNoFill, std::string("kept"), &results);
  EXPECT_TRUE(cache->Contains({1, 0}));
}

TEST_P(BlockCacheTest, AgreesWithAMapUnderRandomOperations) {
  Random random(TestSeed());
  const auto cache = Make(kMiB, /*max_block_bytes=*/kMiB);
  std::map<uint64_t, int64_t> resident_by_file;
  std::vector<BlockRef> pins(50);
  const auto bytes_of = [](BlockKey key) {
    const size_t length = key.offset % 97 == 0 ? 300'000 : key.offset * 7;
    return absl::StrCat(key.file, ":", key.offset, std::string(length, 'b'));
  };
  int64_t reads = 0, insert_calls = 0;
  for (int step = 0; step < 8'000; ++step) {
    const BlockKey key{1 + random.Uniform(5), random.Uniform(1000)};
    const uint64_t action = random.Uniform(100);
    BlockRef block;
    if (action < 60) {
      const CacheFill fill =
          random.OneIn(4) ? CacheFill::kNoFill : CacheFill::kFill;
      ASSERT_OK_AND_ASSIGN(block, Get(*cache, key, bytes_of(key), fill));
      ++reads;
    } else if (action < 80) {
      const bool there = cache->Contains(key);
      block = cache->Lookup(key, BlockKind::kData);
      ASSERT_EQ(block != nullptr, there);
      ++reads;
    } else if (action < 99) {
      ++insert_calls;
      const bool kept =
          cache->Insert(key, BlockKind::kData, Block(bytes_of(key)));
      ASSERT_TRUE(kept);
      ASSERT_TRUE(cache->Contains(key));
    } else {
      cache->EvictFile(key.file);
      for (uint64_t i = 0; i < 1000; ++i) {
        ASSERT_FALSE(cache->Contains({key.file, i}));
      }
    }
    if (block != nullptr) {
      ASSERT_EQ(*block, bytes_of(key));
      pins[random.Uniform(pins.size())] = std::move(block);
    }
    if (step % 100 != 0) continue;
    const BlockCacheStats stats = cache->Stats();
    ASSERT_LE(stats.resident_bytes, stats.capacity_bytes);
    ASSERT_EQ(stats.hits[0] + stats.misses[0], reads);
    int64_t resident = 0;
    for (uint64_t file = 1; file <= 5; ++file) {
      for (uint64_t i = 0; i < 1000; ++i) {
        resident += cache->Contains({file, i});
      }
    }
    ASSERT_EQ(stats.resident_blocks, resident);
    ASSERT_LE(stats.inserts, stats.misses[0] + insert_calls);
  }
}

}  // namespace
}  // namespace shale
