#include "shale/memstore/arena.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

TEST(ArenaTest, TakesNothingBeforeTheFirstPiece) {
  EXPECT_EQ(Arena().bytes_reserved(), 0);
}

TEST(ArenaTest, PiecesAreAlignedAndLargeOnesFit) {
  Arena arena;
  for (const size_t bytes : {1, 7, 8, 9, 4096, 5000, 1 << 20, 3 << 20, 1}) {
    char* const piece = arena.Allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % 8, 0u);
    std::memset(piece, 1, bytes);  // The address sanitizer looks on.
  }
}

// Behaviour A117, in our terms.
TEST(ArenaTest, PiecesOfManyThreadsNeverOverlap) {
  Arena arena;
  constexpr int kThreads = 4;
  constexpr int kPieces = 5000;
  using Piece = std::pair<uintptr_t, size_t>;
  std::vector<Piece> pieces[kThreads];
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(TestSeed() + t);
      for (int i = 0; i < kPieces; ++i) {
        const size_t bytes = 1 + random.Skewed(10);
        char* const piece = arena.Allocate(bytes);
        std::memset(piece, t, bytes);
        pieces[t].push_back({reinterpret_cast<uintptr_t>(piece), bytes});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Piece> all;
  for (const auto& of_thread : pieces) {
    all.insert(all.end(), of_thread.begin(), of_thread.end());
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 1; i < all.size(); ++i) {
    ASSERT_GE(all[i].first, all[i - 1].first + all[i - 1].second);
  }
}

}  // namespace
}  // namespace shale
