// Increments, appends and checks where a family's rules hide what was written:
// the rule `timestamp`, deletes of the future, a time to live; and where a
// frozen memstore might. By every variant of the increment.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/coding.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/counters.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

constexpr Timestamp kStart = 1'000'000'000;
constexpr int64_t kNone = -1;

class IncrementRulesTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  explicit IncrementRulesTest(const RetentionRules& rules)
      : host_(files_, TestHost::Schema(rules), {}, GetParam().options, clock_) {
    EXPECT_OK(host_.Open());
  }

  Region& region() { return host_.region(); }
  static int64_t Counter(const RowResult& row) {
    return CounterOf(row).value_or(kNone);
  }
  // Each in a tick of its own.
  int64_t Count(int64_t delta) {
    clock_.Advance(absl::Milliseconds(1));
    const UpdateResult result =
        region().Increment(Increment("r").Add("f", "q", delta));
    EXPECT_OK(result.status);
    return Counter(result.row);
  }
  // What a batch with this mutation alone is told of the counter.
  int64_t Apply(RowMutation mutation) {
    clock_.Advance(absl::Milliseconds(1));
    MutationBatch batch;
    batch.mutations.push_back(std::move(mutation));
    batch.want_results = true;
    const ApplyResult result = region().Apply(std::move(batch));
    EXPECT_OK(result.status());
    return Counter(result.rows[0]);
  }
  int64_t Read() {
    Get get{"r", {}};
    get.options.isolation = IsolationLevel::kReadUncommitted;
    const absl::StatusOr<RowResult> row = region().Read(get);
    EXPECT_OK(row);
    return Counter(*row);
  }
  bool PutsIfAbsent() {
    clock_.Advance(absl::Milliseconds(1));
    const UpdateResult result = region().CheckAndMutate(
        CheckAndMutate("r", RowMutation("r").Put("f", "c", "v"))
            .IfNotExists("f", "c"));
    EXPECT_OK(result.status);
    return result.matched;
  }

  // HBASE-2863: within one tick, memstore and snapshot hid each other's cells.
  void CountWhileAFlushIsUnderWay() {
    int64_t counted = 0;
    const auto count_on = [&] {
      for (int i = 0; i < 3; ++i) {
        // Which counts a row once in a tick.
        if (absl::EndsWith(GetParam().name, "_tick")) {
          clock_.Advance(absl::Milliseconds(1));
        }
        const UpdateResult result =
            region().Increment(Increment("r").Add("f", "q", 1));
        ASSERT_OK(result.status);
        EXPECT_EQ(Counter(result.row), ++counted);
        EXPECT_EQ(Read(), counted);
      }
    };
    count_on();
    files_.faults().Inject({.op = FileOp::kFinish,
                            .name = "*.store",
                            .fault = {.effect = Fault::Effect::kHeld}});
    auto flush = std::async(std::launch::async,
                            [this] { return region().Flush().status(); });
    files_.faults().AwaitHeld(1);
    count_on();
    EXPECT_NE(flush.wait_for(std::chrono::seconds(0)),
              std::future_status::ready);
    files_.faults().Release();
    ASSERT_OK(flush.get());
    count_on();
    ASSERT_OK(region().Flush());
    ASSERT_OK(region().Compact());
    EXPECT_EQ(Read(), counted);
    count_on();
  }

  ManualClock clock_{absl::FromUnixMicros(kStart)};
  ThreadPoolExecutor executor_{2, clock_};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_;
};

class TimestampRuleTest : public IncrementRulesTest {
 protected:
  TimestampRuleTest()
      : IncrementRulesTest(
            {.max_versions = 3, .delete_rule = DeleteRule::kTimestamp}) {}
};

TEST_P(TimestampRuleTest, CountsThroughDeletesFlushesAndCompactions) {
  for (int64_t i = 1; i <= 6; ++i) {
    EXPECT_EQ(Count(1), i);
    EXPECT_EQ(Read(), i);
    if (i % 2 == 0) {
      ASSERT_OK(region().Flush());
    }
  }
  EXPECT_EQ(Apply(RowMutation("r").DeleteColumn("f", "q")), kNone);
  EXPECT_EQ(Read(), kNone);
  EXPECT_EQ(Count(1), 1);
  EXPECT_EQ(Read(), 1);
  ASSERT_OK(region().Flush());
  ASSERT_OK(region().Compact());
  EXPECT_EQ(Count(1), 2);
}

TEST_P(TimestampRuleTest, ACountAfterADeleteInItsBatchIsSeen) {
  EXPECT_EQ(Count(40), 40);
  EXPECT_EQ(Apply(RowMutation("r").DeleteRow().Increment("f", "q", 7)), 7);
  EXPECT_EQ(Read(), 7);
  EXPECT_EQ(Apply(RowMutation("r")
                      .Increment("f", "q", 1)
                      .DeleteColumn("f", "q")
                      .Increment("f", "q", 2)
                      .Increment("f", "q", 2)),
            4);
  EXPECT_EQ(Read(), 4);
  ASSERT_OK(region().Flush());
  EXPECT_EQ(Read(), 4);
  EXPECT_EQ(Count(1), 5);
}

TEST_P(TimestampRuleTest, ADeleteAfterACountInItsBatchStillDeletesIt) {
  Apply(RowMutation("r").DeleteRow().Increment("f", "q", 7).DeleteRow());
  EXPECT_EQ(Read(), kNone);
  EXPECT_EQ(Count(1), 1);
  EXPECT_EQ(Read(), 1);
}

TEST_P(TimestampRuleTest, ADeleteOfTheFutureHidesCountsUntilACompaction) {
  EXPECT_EQ(Count(3), 3);
  const Timestamp future = kStart + absl::ToInt64Microseconds(absl::Hours(1));
  Apply(RowMutation("r").DeleteFamily("f", future));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Count(1), 1);
    EXPECT_EQ(Read(), kNone);
    EXPECT_TRUE(PutsIfAbsent());
    ASSERT_OK(region().Flush());
  }
  ASSERT_OK(region().Compact());
  EXPECT_EQ(Count(1), 1);
  EXPECT_EQ(Count(1), 2);
  EXPECT_EQ(Read(), 2);
  EXPECT_TRUE(PutsIfAbsent());
  EXPECT_FALSE(PutsIfAbsent());
}

TEST_P(TimestampRuleTest, CountsOfOneTickMeetAFrozenMemstore) {
  CountWhileAFlushIsUnderWay();
}

// Where a row's timestamps rise strictly.
class SequencedTimestampRuleTest : public TimestampRuleTest {};

TEST_P(SequencedTimestampRuleTest,
       ACountAboveItsBatchsDeletesIsBelowTheNextCommit) {
  EXPECT_EQ(Count(40), 40);
  // From here on timestamps are ahead of the clock and count by one.
  clock_.SetWall(clock_.Now() - absl::Hours(1));
  for (const bool crash : {false, true}) {
    EXPECT_EQ(Apply(RowMutation("r")
                        .DeleteRow()
                        .Increment("f", "q", 1)
                        .DeleteRow()
                        .Increment("f", "q", 7)),
              7);
    if (crash) {
      files_.Crash(1);
      host_.Close().IgnoreError();  // Its files are gone.
      ASSERT_OK(host_.Open());
    }
    EXPECT_EQ(Read(), 7);
    EXPECT_EQ(Apply(RowMutation("r").DeleteColumn("f", "q")), kNone);
    EXPECT_EQ(Read(), kNone) << "the count is not older than its delete";
  }
}

TEST_P(SequencedTimestampRuleTest, AnExplicitTimestampDragsNobodyAlong) {
  const Timestamp future = kStart + absl::ToInt64Microseconds(absl::Hours(1));
  Apply(RowMutation("r").Put("f", "q", "12345678", future));
  clock_.Advance(absl::Milliseconds(1));
  const UpdateResult result = region().CheckAndMutate(
      CheckAndMutate("r", RowMutation("r").DeleteRow().Increment("f", "q", 1))
          .IfEquals("f", "q", "12345678"));
  ASSERT_OK(result.status);
  ASSERT_EQ(result.row.cells.size(), 1);
  EXPECT_EQ(result.row.cells[0].timestamp, future + 1);
  EXPECT_LT(result.commit_timestamp, future);
  clock_.Advance(absl::Milliseconds(1));
  const UpdateResult next = region().Increment(Increment("r").Add("f", "p", 1));
  ASSERT_OK(next.status);
  EXPECT_LT(next.row.cells[0].timestamp, future);
}

class SequenceRuleTest : public IncrementRulesTest {
 protected:
  SequenceRuleTest() : IncrementRulesTest({.ttl = absl::Hours(2)}) {}
};

TEST_P(SequenceRuleTest, ADeleteOfTheFutureHidesOnlyWhatCameBefore) {
  EXPECT_EQ(Count(3), 3);
  const Timestamp future = kStart + absl::ToInt64Microseconds(absl::Hours(1));
  EXPECT_EQ(
      Apply(RowMutation("r").DeleteFamily("f", future).Increment("f", "q", 1)),
      1);
  EXPECT_EQ(Count(1), 2);
  EXPECT_EQ(Read(), 2);
  EXPECT_TRUE(PutsIfAbsent());
  EXPECT_FALSE(PutsIfAbsent());
}

TEST_P(SequenceRuleTest, AnExpiredCounterStartsAnew) {
  EXPECT_EQ(Count(3), 3);
  clock_.Advance(absl::Hours(1));
  EXPECT_EQ(Count(1), 4) << "a count lives from its own timestamp on";
  clock_.Advance(absl::Hours(1) + absl::Minutes(1));
  EXPECT_EQ(Count(1), 5);
  ASSERT_OK(region().Flush());
  clock_.Advance(absl::Hours(3));
  EXPECT_EQ(Read(), kNone);
  EXPECT_EQ(Count(0), kNone);
  EXPECT_TRUE(PutsIfAbsent());
  EXPECT_EQ(Count(1), 1);
  EXPECT_EQ(Read(), 1);
}

TEST_P(SequenceRuleTest, CountsOfOneTickMeetAFrozenMemstore) {
  CountWhileAFlushIsUnderWay();
}

// A wall clock that goes on between any two looks at it.
class HurryingClock final : public Clock {
 public:
  absl::Time Now() override {
    const absl::Time now = clock_.Now();
    clock_.SetWall(now + absl::Hours(hours_.load()));
    return now;
  }
  absl::Duration Monotonic() override { return clock_.Monotonic(); }
  bool AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                  absl::Duration deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) override {
    return clock_.AwaitUntil(mu, condition, deadline);
  }
  void SleepUntil(absl::Duration deadline) override {
    clock_.SleepUntil(deadline);
  }
  int64_t WaitForNextTick(absl::Duration tick) override {
    return clock_.WaitForNextTick(tick);
  }

  void Hurry(int hours) { hours_ = hours; }
  ManualClock& clock() { return clock_; }

 private:
  ManualClock clock_{absl::FromUnixMicros(kStart)};
  std::atomic<int> hours_ = 0;
};

TEST(IncrementExpiryTest, WhatACheckHasFoundItsMutationFindsToo) {
  constexpr absl::Duration kTtl = absl::Hours(100);
  HurryingClock clock;
  ThreadPoolExecutor executor(1, clock);
  MemoryFileSystem memory(executor);
  // Whenever the cell expires, between whichever looks at the clock.
  for (int looks = 0; looks < 8; ++looks) {
    TestHost host(memory, TestHost::Schema({.ttl = kTtl}), {}, {}, clock);
    ASSERT_OK(host.Open());
    Region& region = host.region();
    ASSERT_OK(
        region.Apply(RowMutation("r").DeleteRow().Increment("f", "q", 5)));
    clock.clock().Advance(kTtl - looks * absl::Hours(1));
    clock.Hurry(1);
    const UpdateResult result = region.CheckAndMutate(
        CheckAndMutate("r", RowMutation("r").Increment("f", "q", 1))
            .IfEquals("f", "q", absl::string_view("\0\0\0\0\0\0\0\5", 8)));
    clock.Hurry(0);
    ASSERT_OK(result.status);
    if (result.matched) {
      const std::optional<absl::string_view> sum = result.row.Value("f", "q");
      ASSERT_TRUE(sum.has_value());
      EXPECT_EQ(DecodeBigEndian64(sum->data()), 6) << "after " << looks;
    }
    ASSERT_OK(host.Close());
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, TimestampRuleTest,
                         testing::ValuesIn(IncrementCombinations()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Combinations, SequencedTimestampRuleTest,
                         testing::ValuesIn(IncrementSequencerCombinations()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Combinations, SequenceRuleTest,
                         testing::ValuesIn(IncrementCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
