#include "shale/base/metrics.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(MetricsTest, OneNameAndLabelsGiveOneMetricInAnyOrderOfLabels) {
  MetricsRegistry registry;
  Counter& counter =
      registry.GetCounter("syncs_total", "", {{"log", "1"}, {"kind", "data"}});
  EXPECT_EQ(
      &registry.GetCounter("syncs_total", "", {{"kind", "data"}, {"log", "1"}}),
      &counter);
  EXPECT_NE(
      &registry.GetCounter("syncs_total", "", {{"kind", "data"}, {"log", "2"}}),
      &counter);
  EXPECT_NE(&registry.GetCounter("syncs_total"), &counter);
}

TEST(MetricsTest, ReferencesStayValidWhileTheRegistryGrows) {
  MetricsRegistry registry;
  Counter& counter = registry.GetCounter("a_total");
  for (int i = 0; i < 1000; ++i) registry.GetGauge(absl::StrCat("g", i));
  counter.Increment(3);
  EXPECT_EQ(registry.GetCounter("a_total").value(), 3);
}

TEST(MetricsTest, GaugesRiseAndFall) {
  MetricsRegistry registry;
  Gauge& gauge = registry.GetGauge("bytes");
  gauge.Set(10);
  gauge.Add(-25);
  EXPECT_EQ(gauge.value(), -15);
}

TEST(MetricsTest, ASnapshotHoldsEverythingSortedByNameThenLabels) {
  MetricsRegistry registry;
  registry.GetCounter("b_total", "Help.", {{"x", "2"}}).Increment(2);
  registry.GetCounter("b_total", "", {{"x", "1"}}).Increment();
  registry.GetGauge("c").Set(-3);
  registry.GetHistogram("a_seconds", "", {}, 1e-6).Record(7);
  const std::vector<MetricSample> samples = registry.Snapshot();
  ASSERT_EQ(samples.size(), 4);

  EXPECT_EQ(samples[0].name, "a_seconds");
  EXPECT_EQ(samples[0].kind, MetricKind::kHistogram);
  EXPECT_EQ(samples[0].unit, 1e-6);
  EXPECT_EQ(samples[0].histogram.count(), 1);
  EXPECT_EQ(samples[0].histogram.max(), 7);

  EXPECT_EQ(samples[1].name, "b_total");
  EXPECT_EQ(samples[1].kind, MetricKind::kCounter);
  EXPECT_EQ(samples[1].help, "Help.");
  EXPECT_THAT(samples[1].labels, ElementsAre(Pair("x", "1")));
  EXPECT_EQ(samples[1].value, 1);
  EXPECT_EQ(samples[2].value, 2);

  EXPECT_EQ(samples[3].kind, MetricKind::kGauge);
  EXPECT_EQ(samples[3].value, -3);
}

TEST(MetricsTest, TextExpositionIsInPrometheusFormat) {
  MetricsRegistry registry;
  registry.GetCounter("b_total", "Bytes,\nback\\slash.", {{"x", "1"}})
      .Increment(12);
  registry.GetCounter("b_total", "", {{"x", "a\"b\\c\nd"}, {"y", "2"}});
  registry.GetGauge("c").Set(-3);
  EXPECT_EQ(registry.TextExposition(),
            "# HELP b_total Bytes,\\nback\\\\slash.\n"
            "# TYPE b_total counter\n"
            "b_total{x=\"1\"} 12\n"
            "b_total{x=\"a\\\"b\\\\c\\nd\",y=\"2\"} 0\n"
            "# TYPE c gauge\n"
            "c -3\n");
}

TEST(MetricsTest, AHistogramHasCumulativeBucketsInItsUnit) {
  MetricsRegistry registry;
  HistogramMetric& histogram =
      registry.GetHistogram("wait_seconds", "Waiting.", {{"x", "1"}}, 1e-3);
  for (const int64_t milliseconds : {5, 63, 64, 200}) {
    histogram.Record(milliseconds);
  }
  EXPECT_EQ(registry.TextExposition(),
            "# HELP wait_seconds Waiting.\n"
            "# TYPE wait_seconds histogram\n"
            "wait_seconds_bucket{x=\"1\",le=\"0.063\"} 2\n"
            "wait_seconds_bucket{x=\"1\",le=\"0.127\"} 3\n"
            "wait_seconds_bucket{x=\"1\",le=\"0.255\"} 4\n"
            "wait_seconds_bucket{x=\"1\",le=\"+Inf\"} 4\n"
            "wait_seconds_sum{x=\"1\"} 0.332\n"
            "wait_seconds_count{x=\"1\"} 4\n");
}

TEST(MetricsTest, AnEmptyHistogramHasItsFirstBucketAndTheLast) {
  MetricsRegistry registry;
  registry.GetHistogram("h");
  EXPECT_EQ(registry.TextExposition(),
            "# TYPE h histogram\n"
            "h_bucket{le=\"63\"} 0\n"
            "h_bucket{le=\"+Inf\"} 0\n"
            "h_sum 0\n"
            "h_count 0\n");
}

TEST(MetricsTest, ReadingWhileThreadsCountAndMakeMetricsIsConsistent) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 300;
  MetricsRegistry registry;
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&registry, &running, t] {
      for (int i = 0; i < kRounds; ++i) {
        registry.GetCounter("all_total").Increment();
        registry.GetCounter("own_total", "", {{"t", absl::StrCat(t)}})
            .Increment();
        registry.GetHistogram(absl::StrCat("h", i % 20)).Record(i);
      }
      --running;
    });
  }
  int64_t last = 0;
  while (running > 0) {
    registry.TextExposition();
    for (const MetricSample& sample : registry.Snapshot()) {
      if (sample.name != "all_total") continue;
      EXPECT_GE(sample.value, last);
      last = sample.value;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registry.GetCounter("all_total").value(), kThreads * kRounds);
}

TEST(MetricsDeathTest, BreakingTheNamingRulesIsABug) {
  MetricsRegistry registry;
  EXPECT_DEATH(registry.GetCounter(""), "bad metric name");
  EXPECT_DEATH(registry.GetCounter("1a"), "bad metric name \"1a\"");
  EXPECT_DEATH(registry.GetCounter("a-b"), "bad metric name");
  EXPECT_DEATH(registry.GetCounter("a", "", {{"x:y", "1"}}), "bad label name");
  EXPECT_DEATH(registry.GetCounter("a", "", {{"le", "1"}}), "bad label name");
  EXPECT_DEATH(registry.GetCounter("a", "", {{"x", "1"}, {"x", "2"}}),
               "given twice");
}

TEST(MetricsDeathTest, OneNameOfTwoKindsIsABug) {
  MetricsRegistry registry;
  registry.GetCounter("a");
  EXPECT_DEATH(registry.GetGauge("a"), "metric a is of another kind");
}

TEST(MetricsTest, CollectorsAddWhatIsCountedElsewhereUntilTheyGo) {
  MetricsRegistry registry;
  registry.GetCounter("b_total").Increment(2);
  const auto samples_of = [](int64_t value) {
    return [value](std::vector<MetricSample>& samples) {
      samples.push_back({.name = "a_bytes",
                         .labels = {{"y", "2"}, {"x", "1"}},
                         .help = "Bytes.",
                         .kind = MetricKind::kGauge,
                         .value = value});
    };
  };
  {
    const auto first = registry.Collect(samples_of(3));
    const auto second = registry.Collect(samples_of(4));
    EXPECT_EQ(registry.TextExposition(),
              "# HELP a_bytes Bytes.\n"
              "# TYPE a_bytes gauge\n"
              "a_bytes{x=\"1\",y=\"2\"} 7\n"
              "# TYPE b_total counter\n"
              "b_total 2\n");
  }
  EXPECT_EQ(registry.TextExposition(), "# TYPE b_total counter\nb_total 2\n");
}

TEST(MetricsTest, NoCollectorIsCalledOnceItIsRemoved) {
  MetricsRegistry registry;
  std::atomic<bool> done = false;
  std::thread scraper([&] {
    while (!done) registry.Snapshot();
  });
  for (int i = 0; i < 200; ++i) {
    bool alive = true;
    {
      const auto collection =
          registry.Collect([&alive](std::vector<MetricSample>& samples) {
            EXPECT_TRUE(alive);
            samples.push_back({.name = "a", .kind = MetricKind::kGauge});
          });
      registry.Snapshot();
    }
    alive = false;
  }
  done = true;
  scraper.join();
}

}  // namespace
}  // namespace shale
