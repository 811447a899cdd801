// Charges against what the allocator is really asked for.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cache/block_cache.h"
#include "shale/cache/lru_block_cache.h"

namespace {

std::atomic<int64_t> g_allocated_bytes{0};
constexpr size_t kHeader = alignof(std::max_align_t);

}  // namespace

// Each allocation begins with its size.
void* operator new(size_t bytes) {
  void* memory = std::malloc(bytes + kHeader);
  if (memory == nullptr) std::abort();
  *static_cast<size_t*>(memory) = bytes;
  g_allocated_bytes += static_cast<int64_t>(bytes);
  return static_cast<char*>(memory) + kHeader;
}
void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  void* memory = static_cast<char*>(pointer) - kHeader;
  g_allocated_bytes -= static_cast<int64_t>(*static_cast<size_t*>(memory));
  std::free(memory);
}
void operator delete(void* pointer, size_t) noexcept {
  operator delete(pointer);
}

namespace shale {
namespace {

absl::Status Fill(BlockCache& cache, uint64_t file, uint64_t blocks,
                  size_t bytes) {
  for (uint64_t i = 0; i < blocks; ++i) {
    const absl::StatusOr<BlockRef> block =
        cache.GetOrLoad({file, i}, BlockKind::kData, CacheFill::kFill,
                        [&] { return std::string(bytes, 'x'); });
    if (!block.ok()) return block.status();
  }
  return absl::OkStatus();
}

TEST(BlockCacheMemoryTest, ChargesCoverAllThatIsAllocated) {
  for (const size_t bytes : {0, 100, 1000, 20'000}) {
    LruBlockCache cache({.capacity_bytes = 2 << 20, .shards = 4});
    const int64_t before = g_allocated_bytes;
    for (uint64_t file = 1; file < 2000; ++file) {
      ASSERT_OK(Fill(cache, file, 1 + file % 9, bytes));
      if (file % 100 != 0) continue;
      const int64_t allocated = g_allocated_bytes - before;
      const BlockCacheStats stats = cache.Stats();
      ASSERT_LE(allocated, stats.resident_bytes + 4096)
          << bytes << "-byte blocks, " << file << " files";
      // Less than a hash table's slack and rounding up.
      ASSERT_GE(allocated, stats.resident_bytes - 200 * stats.resident_blocks);
    }
    ASSERT_GT(cache.Stats().evictions, 0) << "the cache was never full";
  }
}

TEST(BlockCacheMemoryTest, NothingIsLeftOfFilesThatAreGone) {
  LruBlockCache cache({.capacity_bytes = 8 << 20});
  int64_t after_warm_up = 0;
  for (int file = 0; file < 10'000; ++file) {
    const uint64_t id = cache.NewFileId();
    ASSERT_OK(Fill(cache, id, 3, 100));
    // A block that can't be read must leave nothing either.
    const absl::StatusOr<BlockRef> failed =
        cache.GetOrLoad({id, 3}, BlockKind::kData, CacheFill::kFill,
                        []() -> absl::StatusOr<std::string> {
                          return absl::UnavailableError("no disk");
                        });
    ASSERT_THAT(failed, StatusIs(absl::StatusCode::kUnavailable));
    cache.EvictFile(id);
    if (file == 100) after_warm_up = g_allocated_bytes;
  }
  EXPECT_LE(g_allocated_bytes, after_warm_up + 4096);
  EXPECT_EQ(cache.Stats().resident_bytes, 0);
  EXPECT_EQ(cache.Stats().pinned_bytes, 0);
}

}  // namespace
}  // namespace shale
