#include "shale/base/random.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

TEST(RandomTest, ASeedGivesTheSameValuesOnEveryPlatform) {
  // Computed by an independent program from the two published algorithms.
  Random random(0);
  EXPECT_EQ(random.Next(), 0x99ec5f36cb75f2b4);
  EXPECT_EQ(random.Next(), 0xbf6e1f784956452a);
  EXPECT_EQ(random.Next(), 0x1a5f849d4933e6e0);
}

TEST(RandomTest, EqualSeedsGiveEqualValuesAndOthersDoNot) {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a.Next();
    EXPECT_EQ(b.Next(), value);
    differs |= c.Next() != value;
  }
  EXPECT_TRUE(differs);
}

TEST(RandomTest, ACopyContinuesWithTheSameValues) {
  Random a(TestSeed());
  a.Next();
  Random b = a;
  EXPECT_EQ(a.Next(), b.Next());
}

TEST(RandomTest, UniformIsEvenAndReachesItsWholeRange) {
  Random random(TestSeed());
  std::array<int, 10> hits = {};
  for (int i = 0; i < 100000; ++i) ++hits[random.Uniform(hits.size())];
  // Five standard deviations around 10,000 are +-475.
  for (const int n : hits) EXPECT_NEAR(n, 10000, 475);
}

TEST(RandomTest, UniformTakesRangesOfAnySize) {
  Random random(TestSeed());
  EXPECT_EQ(random.Uniform(1), 0);
  const uint64_t most = uint64_t{3} << 62;  // A quarter of draws is retried.
  for (int i = 0; i < 1000; ++i) EXPECT_LT(random.Uniform(most), most);
}

TEST(RandomTest, OneInComesTrueAtItsRate) {
  Random random(TestSeed());
  int hits = 0;
  for (int i = 0; i < 100000; ++i) hits += random.OneIn(20);
  EXPECT_NEAR(hits, 5000, 350);
  EXPECT_TRUE(random.OneIn(1));
}

TEST(RandomTest, FractionStaysBelowOneAndAveragesAHalf) {
  Random random(TestSeed());
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double fraction = random.Fraction();
    ASSERT_GE(fraction, 0);
    ASSERT_LT(fraction, 1);
    sum += fraction;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(RandomTest, SkewedFavoursSmallValuesYetReachesLargeOnes) {
  Random random(TestSeed());
  int small = 0;
  int large = 0;
  for (int i = 0; i < 10000; ++i) {
    const uint64_t value = random.Skewed(20);
    ASSERT_LT(value, 1 << 20);
    small += value < 16;
    large += value >= 1 << 18;
  }
  EXPECT_GT(small, 1500);
  EXPECT_GT(large, 200);
  EXPECT_EQ(random.Skewed(0), 0);
}

TEST(RandomTest, BytesHaveTheLengthAskedForAndAllValues) {
  Random random(TestSeed());
  for (size_t length = 0; length < 20; ++length) {
    EXPECT_EQ(random.Bytes(length).size(), length);
  }
  const std::string bytes = random.Bytes(10000);
  EXPECT_EQ(std::set<char>(bytes.begin(), bytes.end()).size(), 256);
}

}  // namespace
}  // namespace shale
