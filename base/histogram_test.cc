// Tests of histogram.h, histogram_buckets.h and concurrent_histogram.h.
#include "shale/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/concurrent_histogram.h"
#include "shale/base/histogram_buckets.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr double kPercents[] = {0, 1, 10, 25, 50, 75, 95, 99, 99.9, 100};

void ExpectEqual(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.sum(), b.sum());
  EXPECT_EQ(a.min(), b.min());
  EXPECT_EQ(a.max(), b.max());
  EXPECT_EQ(a.stddev(), b.stddev());
  for (const double p : kPercents) {
    EXPECT_EQ(a.Percentile(p), b.Percentile(p)) << p;
  }
}

TEST(HistogramBucketsTest, BucketsFollowEachOtherWithoutGapFromZeroToTheMost) {
  EXPECT_EQ(LowestInHistogramBucket(0), 0);
  for (int b = 1; b < kHistogramBuckets; ++b) {
    ASSERT_EQ(LowestInHistogramBucket(b), HighestInHistogramBucket(b - 1) + 1);
  }
  EXPECT_EQ(HighestInHistogramBucket(kHistogramBuckets - 1), kMost);
}

TEST(HistogramBucketsTest, BothEndsOfABucketMapToIt) {
  for (int b = 0; b < kHistogramBuckets; ++b) {
    ASSERT_EQ(HistogramBucketOf(LowestInHistogramBucket(b)), b);
    ASSERT_EQ(HistogramBucketOf(HighestInHistogramBucket(b)), b);
  }
}

TEST(HistogramBucketsTest, NoBucketIsWiderThanA64thOfItsLowestValue) {
  for (int b = 0; b < kHistogramBuckets; ++b) {
    const int64_t low = LowestInHistogramBucket(b);
    ASSERT_LE(HighestInHistogramBucket(b) - low, low / 64) << b;
  }
}

TEST(HistogramTest, AnEmptyOneIsAllZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.stddev(), 0);
  EXPECT_EQ(histogram.Percentile(50), 0);
}

TEST(HistogramTest, SmallValuesAreExact) {
  Histogram histogram;
  for (int value = 1; value <= 60; ++value) histogram.Add(value);
  EXPECT_EQ(histogram.Percentile(0), 1);
  EXPECT_EQ(histogram.Percentile(50), 30);
  EXPECT_EQ(histogram.Percentile(95), 57);
  EXPECT_EQ(histogram.Percentile(100), 60);
  EXPECT_EQ(histogram.mean(), 30.5);
  EXPECT_NEAR(histogram.stddev(), std::sqrt((60.0 * 60 - 1) / 12), 1e-9);
}

TEST(HistogramTest, MinimumAndMaximumAreExactAndBoundThePercentiles) {
  Histogram histogram;
  histogram.Add(1000001);
  for (const double p : kPercents) EXPECT_EQ(histogram.Percentile(p), 1000001);
}

TEST(HistogramTest, ANegativeValueCountsAsZero) {
  Histogram histogram;
  histogram.Add(-5);
  EXPECT_EQ(histogram.count(), 1);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.sum(), 0);
}

TEST(HistogramTest, TheSumStaysAtTheMostRatherThanWrap) {
  Histogram histogram;
  histogram.Add(kMost, 3);
  EXPECT_EQ(histogram.sum(), kMost);
  histogram.Merge(histogram);
  EXPECT_EQ(histogram.sum(), kMost);
  EXPECT_EQ(histogram.count(), 6);
  EXPECT_EQ(histogram.Percentile(50), kMost);
}

TEST(HistogramTest, AddingTimesEqualsAddingOneByOne) {
  Histogram at_once, one_by_one;
  at_once.Add(700, 5);
  at_once.Add(3, 0);
  for (int i = 0; i < 5; ++i) one_by_one.Add(700);
  ExpectEqual(at_once, one_by_one);
}

// The naive twin: all values, sorted.
TEST(HistogramTest, PercentilesAreWithinA64thOfTheSortedValues) {
  Random random(TestSeed());
  for (const int max_bits : {4, 10, 30, 50}) {
    Histogram histogram;
    std::vector<int64_t> values;
    for (int i = 0; i < 5000; ++i) {
      values.push_back(static_cast<int64_t>(random.Skewed(max_bits)));
      histogram.Add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double p : kPercents) {
      const size_t rank = std::max<size_t>(
          1, static_cast<size_t>(std::ceil(p / 100 * values.size())));
      const int64_t exact = values[rank - 1];
      EXPECT_GE(histogram.Percentile(p), exact) << p;
      EXPECT_LE(histogram.Percentile(p), exact + exact / 64) << p;
    }
    double sum = 0, squares = 0;
    for (const int64_t value : values) sum += static_cast<double>(value);
    const double mean = sum / static_cast<double>(values.size());
    for (const int64_t value : values) squares += std::pow(value - mean, 2);
    const double stddev = std::sqrt(squares / values.size());
    EXPECT_NEAR(histogram.mean(), mean, mean * 1e-9);
    EXPECT_NEAR(histogram.stddev(), stddev, stddev / 32 + 1e-9);
  }
}

TEST(HistogramTest, MergingEqualsAddingEverythingToOne) {
  Random random(TestSeed());
  Histogram all, parts[3];
  for (int i = 0; i < 3000; ++i) {
    const int64_t value = static_cast<int64_t>(random.Skewed(40));
    all.Add(value);
    parts[random.Uniform(2)].Add(value);  // One part stays empty.
  }
  Histogram merged;
  for (const Histogram& part : parts) merged.Merge(part);
  ExpectEqual(merged, all);
}

TEST(HistogramTest, CountUpToIsExactAtABucketsEnd) {
  Histogram histogram;
  for (const int64_t value : {0, 63, 64, 127, 128, 1000}) histogram.Add(value);
  EXPECT_EQ(histogram.CountUpTo(-1), 0);
  EXPECT_EQ(histogram.CountUpTo(0), 1);
  EXPECT_EQ(histogram.CountUpTo(63), 2);
  EXPECT_EQ(histogram.CountUpTo(127), 4);
  EXPECT_EQ(histogram.CountUpTo(kMost), 6);
}

TEST(ConcurrentHistogramTest, ASnapshotEqualsAHistogramOfTheSameValues) {
  Random random(TestSeed());
  Histogram twin;
  ConcurrentHistogram histogram;
  ExpectEqual(histogram.Snapshot(), twin);
  for (int i = 0; i < 5000; ++i) {
    const int64_t value = static_cast<int64_t>(random.Skewed(45)) - 1;
    twin.Add(value);
    histogram.Record(value);
  }
  ExpectEqual(histogram.Snapshot(), twin);
}

TEST(ConcurrentHistogramTest, ThreadsLoseNoValueAndSnapshotsOnlyGrow) {
  constexpr int kThreads = 4;
  constexpr int kValues = 20000;
  ConcurrentHistogram histogram;
  std::vector<Histogram> twins(kThreads);
  std::vector<std::thread> threads;
  const uint64_t seed = TestSeed();
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&histogram, &twins, seed, t] {
      Random random(seed + t);
      for (int i = 0; i < kValues; ++i) {
        const int64_t value = static_cast<int64_t>(random.Skewed(40));
        twins[t].Add(value);
        histogram.Record(value);
      }
    });
  }
  int64_t last = 0;
  while (last < kThreads * kValues) {
    const int64_t count = histogram.Snapshot().count();
    ASSERT_GE(count, last);
    last = count;
  }
  for (std::thread& thread : threads) thread.join();
  Histogram all;
  for (const Histogram& twin : twins) all.Merge(twin);
  ExpectEqual(histogram.Snapshot(), all);
}

}  // namespace
}  // namespace shale
