#include "shale/filter/lifetimes.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

TEST(LifetimesTest, NothingIsExcessBeforeEnoughAreAliveTogether) {
  Lifetimes lifetimes(2);
  lifetimes.Add({5}, kMaxWriteNumber);
  EXPECT_EQ(lifetimes.excess_below(), kNoWriteNumber);
  lifetimes.Add({2}, {4});
  EXPECT_EQ(lifetimes.excess_below(), kNoWriteNumber);
  lifetimes.Add({1}, {3});
  EXPECT_EQ(lifetimes.excess_below(), WriteNumber{3});
  lifetimes.Add({3}, {6});
  EXPECT_EQ(lifetimes.excess_below(), WriteNumber{6});
  lifetimes.Add({9}, kMaxWriteNumber);
  EXPECT_EQ(lifetimes.excess_below(), kMaxWriteNumber);
}

TEST(LifetimesTest, ClearBeginsAnotherColumn) {
  Lifetimes lifetimes(2);
  lifetimes.Add({1}, {3});
  lifetimes.Add({2}, kMaxWriteNumber);
  lifetimes.Clear();
  EXPECT_EQ(lifetimes.excess_below(), kNoWriteNumber);
  lifetimes.Add({1}, kMaxWriteNumber);
  EXPECT_EQ(lifetimes.excess_below(), kNoWriteNumber);
}

// Counts, at every number, how many are alive.
TEST(LifetimesTest, AgreesWithCountingAtEveryNumber) {
  constexpr uint64_t kNumbers = 40;
  Random random(TestSeed());
  for (int round = 0; round < 2000; ++round) {
    const int max_versions = 1 + static_cast<int>(random.Uniform(4));
    Lifetimes lifetimes(max_versions);
    std::vector<int> alive(kNumbers, 0);
    for (int i = 0; i < 30; ++i) {
      uint64_t expected = 0;
      for (uint64_t n = 0; n < kNumbers; ++n) {
        if (alive[n] >= max_versions) expected = n + 1;
      }
      if (expected == kNumbers) {
        ASSERT_EQ(lifetimes.excess_below(), kMaxWriteNumber);
        break;
      }
      ASSERT_EQ(lifetimes.excess_below(), WriteNumber{expected});

      const uint64_t birth = expected + random.Uniform(kNumbers - expected);
      const uint64_t death = birth + 1 + random.Uniform(kNumbers - birth);
      lifetimes.Add({birth},
                    death == kNumbers ? kMaxWriteNumber : WriteNumber{death});
      for (uint64_t n = birth; n < death; ++n) ++alive[n];
    }
  }
}

}  // namespace
}  // namespace shale
