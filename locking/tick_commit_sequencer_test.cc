#include "shale/locking/tick_commit_sequencer.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"
#include "shale/locking/testing/commit_recorder.h"

namespace shale {
namespace {

using ::testing::ElementsAre;

constexpr Timestamp kStart = 1'600'000'000'000'000;
constexpr absl::Duration kTick = absl::Milliseconds(1);

// Counts the timers set.
class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Executor& executor) : executor_(executor) {}

  void Schedule(absl::AnyInvocable<void()> task) override {
    executor_.Schedule(std::move(task));
  }
  TimerId ScheduleAt(absl::Duration deadline,
                     absl::AnyInvocable<void()> task) override {
    ++timers;
    return executor_.ScheduleAt(deadline, std::move(task));
  }
  bool Cancel(TimerId timer) override { return executor_.Cancel(timer); }

  int timers = 0;

 private:
  Executor& executor_;
};

class TickCommitSequencerTest : public testing::Test {
 protected:
  using Rows = std::vector<absl::string_view>;

  // `rows` stays where it is until the commit has its timestamp.
  void Ask(int commit, const Rows& rows) {
    sequencer_.Assign(rows, [this, commit](Timestamp timestamp) {
      assigned_.push_back(commit);
      timestamps_.push_back(timestamp);
      assigned_at_.push_back(clock_.Monotonic());
    });
  }

  void Advance(absl::Duration by) {
    clock_.Advance(by);
    executor_.RunUntilIdle();
  }

  ManualClock clock_{absl::FromUnixMicros(kStart)};
  DeterministicExecutor executor_{clock_, TestSeed()};
  CountingExecutor counting_{executor_};
  TickCommitSequencer sequencer_{clock_, counting_, kTick};
  std::vector<int> assigned_;  // In order.
  std::vector<Timestamp> timestamps_;
  std::vector<absl::Duration> assigned_at_;
};

struct OverlapCase {
  const char* name;
  std::vector<absl::string_view> first;
  absl::Duration pause;
  std::vector<absl::string_view> second;
  bool waits;
};

const OverlapCase kOverlapCases[] = {
    {"SameRowInOneTick", {"a"}, absl::ZeroDuration(), {"a"}, true},
    {"SameRowLateInTheTick", {"a"}, absl::Microseconds(999), {"a"}, true},
    {"SameRowAtTheEdge", {"a"}, kTick, {"a"}, false},
    {"SameRowManyTicksLater", {"a"}, 100 * kTick, {"a"}, false},
    {"OtherRow", {"a"}, absl::ZeroDuration(), {"b"}, false},
    {"OtherRows", {"a", "b"}, absl::ZeroDuration(), {"c", "d"}, false},
    {"LastOfMany", {"a", "b"}, absl::ZeroDuration(), {"c", "d", "b"}, true},
    {"ManyOverOne", {"b"}, absl::ZeroDuration(), {"a", "b", "c"}, true},
    {"EmptyRowName", {""}, absl::ZeroDuration(), {""}, true},
    {"PrefixIsAnotherRow", {"ab"}, absl::ZeroDuration(), {"a"}, false},
    {"NoRows", {"a"}, absl::ZeroDuration(), {}, false},
    {"SameRowTwiceInACommit", {"b"}, absl::ZeroDuration(), {"a", "a"}, false},
};

class TickOverlapTest : public TickCommitSequencerTest,
                        public testing::WithParamInterface<OverlapCase> {};

TEST_P(TickOverlapTest, CommitWaitsIfTheTickHasOneOfItsRows) {
  const OverlapCase& c = GetParam();
  Ask(1, c.first);
  clock_.Advance(c.pause);
  Ask(2, c.second);
  EXPECT_EQ(assigned_.size(), c.waits ? 1 : 2);
  EXPECT_EQ(sequencer_.stats().yields, c.waits ? 1 : 0);
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
}

INSTANTIATE_TEST_SUITE_P(Table, TickOverlapTest,
                         testing::ValuesIn(kOverlapCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_F(TickCommitSequencerTest, WaitEndsAtTheEdgeOfTheTick) {
  const Rows row = {"a"};
  Advance(absl::Microseconds(300));
  Ask(1, row);
  Ask(2, row);
  Advance(absl::Microseconds(699));
  EXPECT_THAT(assigned_, ElementsAre(1));
  Advance(absl::Microseconds(1));
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
  EXPECT_EQ(assigned_at_[1], kTick);
  EXPECT_EQ(timestamps_[1], kStart + 1000);
}

TEST_F(TickCommitSequencerTest, WritersOfARowAreServedInOrderOneATick) {
  const Rows row = {"a"};
  constexpr int kWriters = 40;
  for (int i = 0; i < kWriters; ++i) Ask(i, row);
  for (int tick = 0; tick < kWriters; ++tick) {
    ASSERT_EQ(assigned_.size(), tick + 1) << "one commit in each tick";
    EXPECT_EQ(assigned_.back(), tick) << "first come, first served";
    EXPECT_EQ(assigned_at_.back(), tick * kTick);
    Advance(kTick);
  }
}

// At full contention, as a region commits: no wait is longer than 1.5 ticks for
// each that waits.
TEST_F(TickCommitSequencerTest, WorstWaitForAHotRowIsATickForEachWaiter) {
  constexpr int kWriters = 32;
  CommitRecorder recorder(sequencer_, clock_, counting_);
  Advance(absl::Microseconds(700));
  const absl::Duration begin = clock_.Monotonic();
  for (int i = 0; i < kWriters; ++i) recorder.Commit({"hot"});
  while (executor_.AdvanceToNextTimer()) executor_.RunUntilIdle();
  EXPECT_EQ(recorder.unfinished(), 0);
  const std::vector<RecordedCommit> commits = recorder.commits();
  for (int i = 0; i < kWriters; ++i) EXPECT_EQ(commits[i].id, i);
  EXPECT_LE(commits.back().assigned - begin, 1.5 * kWriters * kTick);
  EXPECT_EQ(TickNumber(commits.back().assigned, kTick), kWriters - 1);
  EXPECT_EQ(sequencer_.stats().yields, kWriters - 1);
}

// The clock of the test moves 10 ms at a time, as in the tests of HBASE-25975.
TEST_F(TickCommitSequencerTest, HundredCommitsOfARowYieldNinetyNineTimes) {
  CommitRecorder recorder(sequencer_, clock_, counting_);
  for (int i = 0; i < 100; ++i) recorder.Commit({"a"});
  for (int i = 0; i < 99; ++i) Advance(absl::Milliseconds(10));
  EXPECT_EQ(recorder.unfinished(), 0);
  EXPECT_EQ(sequencer_.stats().yields, 99);
}

TEST_F(TickCommitSequencerTest, RefusedCommitLeavesNoneOfItsRowsBehind) {
  const Rows a = {"a"}, all = {"b", "a", "c"}, b = {"b"}, c = {"c"};
  Ask(1, a);
  Ask(2, all);
  Ask(3, b);
  Ask(4, c);
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 4)) << "2 keeps neither b nor c";
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 4, 2));
}

TEST_F(TickCommitSequencerTest, DisjointRowsPassThoseThatWait) {
  const Rows a = {"a"}, b = {"b"};
  Ask(1, a);
  Ask(2, a);
  Ask(3, b);
  EXPECT_THAT(assigned_, ElementsAre(1, 3));
  EXPECT_EQ(sequencer_.stats().yields, 1);
  Advance(kTick);
}

TEST_F(TickCommitSequencerTest, FrozenClockKeepsACommitWaitingWithoutSpinning) {
  const Rows row = {"a"};
  Ask(1, row);
  Ask(2, row);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(executor_.RunOne());
  EXPECT_THAT(assigned_, ElementsAre(1));
  EXPECT_EQ(counting_.timers, 1);
  // The wall clock alone doesn't end a tick either.
  clock_.SetWall(absl::FromUnixMicros(kStart) + absl::Hours(1));
  EXPECT_FALSE(executor_.RunOne());
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
}

TEST_F(TickCommitSequencerTest, OneTimerServesAllThatWait) {
  const Rows a = {"a"}, b = {"b"}, c = {"c"};
  for (const Rows* rows : {&a, &b, &c}) Ask(0, *rows);
  for (const Rows* rows : {&a, &b, &c}) Ask(1, *rows);
  EXPECT_EQ(counting_.timers, 1);
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_EQ(counting_.timers, 1);
  EXPECT_FALSE(executor_.AdvanceToNextTimer()) << "nothing waits any more";
}

TEST_F(TickCommitSequencerTest, NewcomerHasItsTimerBeforeTheDueAreAllTold) {
  const Rows a = {"a"}, b = {"b"};
  Ask(1, a);
  Ask(2, b);
  sequencer_.Assign(a, [&](Timestamp) { Ask(3, a); });
  int timers = 0;
  sequencer_.Assign(b, [&](Timestamp) { timers = counting_.timers; });
  EXPECT_EQ(counting_.timers, 1);
  Advance(kTick);
  EXPECT_EQ(timers, 2) << "for the commit that came out of the first one";
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2, 3));
}

TEST_F(TickCommitSequencerTest, TimerThatComesLateIsMadeUpForAtOnce) {
  const Rows a = {"a"}, b = {"b"};
  Ask(1, a);
  Ask(2, a);
  clock_.Advance(50 * kTick + kTick / 2);
  Ask(3, b);
  Ask(4, b);
  executor_.RunUntilIdle();
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 2));
  Advance(kTick / 2);
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 2, 4));
}

// A step back made the original forget the rows of the tick: its ticks 6, 5, 6
// gave one row the timestamp 6 twice.
TEST_F(TickCommitSequencerTest, StepBackOfTheWallClockForgetsNoRow) {
  const Rows row = {"a"}, other = {"b"};
  clock_.SetWall(absl::FromUnixMicros(6000));
  Ask(1, row);
  clock_.SetWall(absl::FromUnixMicros(5000));
  Ask(2, other);
  clock_.SetWall(absl::FromUnixMicros(6000));
  Ask(3, row);
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
  clock_.SetWall(absl::FromUnixMicros(5000));
  clock_.AdvanceMonotonic(kTick);
  executor_.RunUntilIdle();
  EXPECT_THAT(assigned_, ElementsAre(1, 2, 3));
  EXPECT_GT(timestamps_[2], 6000);
}

TEST_F(TickCommitSequencerTest, WallClockThatStandsStillIsCountedOnByOne) {
  const Rows row = {"a"};
  for (int i = 0; i < 100; ++i) {
    Ask(i, row);
    EXPECT_EQ(timestamps_.back(), kStart + i);
    clock_.AdvanceMonotonic(kTick);
  }
  EXPECT_EQ(sequencer_.stats().yields, 0);
  EXPECT_EQ(sequencer_.stats().run_ahead, absl::Microseconds(99));
}

TEST_F(TickCommitSequencerTest, JumpForwardAndBackEndsNoWaitEarlyOrLate) {
  const Rows row = {"a"};
  Ask(1, row);
  clock_.SetWall(absl::FromUnixMicros(kStart) + absl::Hours(1));
  Ask(2, row);
  Advance(kTick);
  Ask(3, row);
  clock_.SetWall(absl::FromUnixMicros(kStart));
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2, 3));
  EXPECT_EQ(timestamps_[1],
            kStart + absl::ToInt64Microseconds(absl::Hours(1)) + 1000);
  EXPECT_EQ(timestamps_[2], timestamps_[1] + 1);
}

// The original added rows to whichever set was the current one by then, so that
// commits of a later tick waited in vain. Here the row is asked for right
// before the edge of a tick and right after it, and nobody waits.
TEST_F(TickCommitSequencerTest, RowsOfATickAreGoneWithIt) {
  const Rows row = {"a"};
  for (int tick = 0; tick < 1000; ++tick) {
    Advance(kTick - absl::Nanoseconds(1));
    Ask(2 * tick, row);
    Advance(absl::Nanoseconds(1));
    Ask(2 * tick + 1, row);
    Advance(kTick);
  }
  EXPECT_EQ(assigned_.size(), 2000);
  EXPECT_EQ(sequencer_.stats().yields, 0);
}

TEST_F(TickCommitSequencerTest, BatchOverAllShardsIsOneCommit) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back(absl::StrCat("row", i));
  const Rows rows(names.begin(), names.end());
  const Rows last = {"row4999"}, other = {"row5000"};
  Ask(1, rows);
  Ask(2, last);
  Ask(3, other);
  EXPECT_THAT(assigned_, ElementsAre(1, 3));
  Ask(4, rows);
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 2));
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 3, 2, 4));
}

TEST_F(TickCommitSequencerTest, RowKeepsWaitersInOrderWhenBatchesOverlap) {
  const Rows ab = {"a", "b"}, bc = {"b", "c"}, c = {"c"};
  Ask(1, ab);
  Ask(2, bc);
  Ask(3, ab);
  EXPECT_THAT(assigned_, ElementsAre(1));
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2));
  Ask(4, c);
  Advance(kTick);
  EXPECT_THAT(assigned_, ElementsAre(1, 2, 3, 4));
}

TEST_F(TickCommitSequencerTest, TickMayHaveAnyLength) {
  TickCommitSequencer fine(clock_, executor_, absl::Microseconds(10));
  std::vector<absl::Duration> times;
  const Rows row = {"a"};
  for (int i = 0; i < 3; ++i) {
    fine.Assign(row, [&](Timestamp) { times.push_back(clock_.Monotonic()); });
  }
  while (executor_.AdvanceToNextTimer()) executor_.RunUntilIdle();
  EXPECT_THAT(times, ElementsAre(absl::ZeroDuration(), absl::Microseconds(10),
                                 absl::Microseconds(20)));
}

TEST_F(TickCommitSequencerTest, GoingWhileACommitWaitsIsCaught) {
  EXPECT_DEATH(
      {
        TickCommitSequencer sequencer(clock_, executor_);
        const Rows row = {"a"};
        for (int i = 0; i < 2; ++i) sequencer.Assign(row, [](Timestamp) {});
      },
      "1 commits wait");
}

}  // namespace
}  // namespace shale
