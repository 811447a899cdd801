// What every variant of RowCommitSequencer must do.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/raise_to.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer_variants.h"

namespace shale {
namespace {

constexpr Timestamp kStart = 1'600'000'000'000'000;

class RowCommitSequencerConformanceTest
    : public testing::TestWithParam<RowCommitSequencerVariant> {
 protected:
  // Assigns, moving the clock on as far as that takes.
  Timestamp Assign(const std::vector<absl::string_view>& rows) {
    int calls = 0;
    Timestamp timestamp = 0;
    sequencer_->Assign(rows, [&](Timestamp given) {
      ++calls;
      timestamp = given;
    });
    while (calls == 0) {
      executor_.RunUntilIdle();
      if (calls == 0 && !executor_.AdvanceToNextTimer()) break;
    }
    executor_.RunUntilIdle();
    EXPECT_EQ(calls, 1);
    return timestamp;
  }

  ManualClock clock_{absl::FromUnixMicros(kStart)};
  DeterministicExecutor executor_{clock_, TestSeed()};
  std::unique_ptr<RowCommitSequencer> sequencer_ =
      GetParam().create(clock_, executor_);
};

INSTANTIATE_TEST_SUITE_P(Variants, RowCommitSequencerConformanceTest,
                         testing::ValuesIn(RowCommitSequencerVariants()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(RowCommitSequencerConformanceTest, FirstCommitOfARowHasTheWallTime) {
  EXPECT_EQ(Assign({"a"}), kStart);
  clock_.Advance(absl::Seconds(10));
  EXPECT_EQ(Assign({"a"}), kStart + 10'000'000);
  clock_.Advance(absl::Microseconds(1));
  EXPECT_EQ(Assign({"b", "c"}), kStart + 10'000'001);
}

TEST_P(RowCommitSequencerConformanceTest, CommitOfNoRowIsGivenATimeAtOnce) {
  bool called = false;
  sequencer_->Assign({}, [&](Timestamp timestamp) {
    called = true;
    EXPECT_EQ(timestamp, kStart);
  });
  EXPECT_TRUE(called);
}

TEST_P(RowCommitSequencerConformanceTest, DisjointRowsOfOneMomentNeverWait) {
  for (int i = 0; i < 1000; ++i) {
    const std::string row = absl::StrCat("row", i);
    const absl::string_view view = row;
    bool called = false;
    sequencer_->Assign({&view, 1}, [&called](Timestamp) { called = true; });
    EXPECT_TRUE(called);
  }
}

TEST_P(RowCommitSequencerConformanceTest, OnlyOneThatSaysSoWaits) {
  int called = 0;
  const absl::string_view row = "a";
  for (int i = 0; i < 2; ++i) {
    sequencer_->Assign({&row, 1}, [&called](Timestamp) { ++called; });
  }
  EXPECT_EQ(called, sequencer_->waits() ? 1 : 2);
  while (called < 2 && executor_.AdvanceToNextTimer()) executor_.RunUntilIdle();
  EXPECT_EQ(called, 2);
}

TEST_P(RowCommitSequencerConformanceTest, SameRowTwiceInACommitIsNoConflict) {
  const std::vector<absl::string_view> rows = {"a", "b", "a"};
  bool called = false;
  sequencer_->Assign(rows, [&called](Timestamp) { called = true; });
  EXPECT_TRUE(called);
}

TEST_P(RowCommitSequencerConformanceTest,
       TimeOfARowDoesNotFallWhileTheClockRuns) {
  Timestamp last = 0;
  for (int i = 0; i < 100; ++i) {
    const Timestamp next = Assign({"a"});
    EXPECT_GE(next, last);
    last = next;
    if (i % 3 == 0) clock_.Advance(absl::Microseconds(1));
  }
}

TEST_P(RowCommitSequencerConformanceTest,
       FloorCoversEveryTimestampAndOnlyRises) {
  Timestamp floor = sequencer_->floor();
  for (const int64_t wall : {0, 5, 3, 9, 1, 9}) {
    clock_.SetWall(absl::FromUnixMicros(kStart + wall));
    const Timestamp assigned = Assign({"a"});
    EXPECT_GE(sequencer_->floor(), assigned);
    EXPECT_GE(sequencer_->floor(), floor);
    floor = sequencer_->floor();
  }
}

TEST_P(RowCommitSequencerConformanceTest, RaisedFloorStaysRaised) {
  sequencer_->RaiseFloor(kStart + 500);
  EXPECT_EQ(sequencer_->floor(), kStart + 500);
  sequencer_->RaiseFloor(kStart + 100);
  EXPECT_EQ(sequencer_->floor(), kStart + 500);
}

TEST_P(RowCommitSequencerConformanceTest, WhatACommitAddsCountsForItsRows) {
  const Timestamp assigned = Assign({"a", "b"});
  // The next tick begins before it is known what was added, for every shard.
  clock_.Advance(absl::Milliseconds(1));
  for (int i = 0; i < 1000; ++i) Assign({absl::StrCat("other", i)});
  clock_.SetWall(absl::FromUnixMicros(kStart - 1'000'000));
  const std::vector<absl::string_view> rows = {"a", "b", "a"};
  sequencer_->Raise(rows, assigned + 5'000);
  EXPECT_GE(sequencer_->floor(), assigned + 5'000);
  const Timestamp after = Assign({"a"});
  if (sequencer_->needs_exclusive_locks()) {
    EXPECT_GT(after, assigned + 5'000);
    EXPECT_GT(Assign({"b"}), assigned + 5'000);
    EXPECT_GT(Assign({"a"}), after);
  }
}

TEST_P(RowCommitSequencerConformanceTest, RunAheadIsTheFloorsAboveTheClock) {
  Assign({"a"});
  EXPECT_EQ(sequencer_->stats().run_ahead, absl::ZeroDuration());
  sequencer_->RaiseFloor(kStart + 500);
  EXPECT_EQ(sequencer_->stats().run_ahead, absl::Microseconds(500));
  clock_.SetWall(absl::FromUnixMicros(kStart - 1'000'000));
  EXPECT_EQ(sequencer_->stats().run_ahead, absl::Microseconds(1'000'500));
  clock_.Advance(absl::Seconds(5));
  EXPECT_EQ(sequencer_->stats().run_ahead, absl::ZeroDuration());
}

TEST_P(RowCommitSequencerConformanceTest, ManyThreadsEachGetAnAnswer) {
  constexpr int kThreads = 8;
  constexpr int kCommitsEach = 500;
  std::atomic<Timestamp> largest{0};
  std::atomic<int> answers{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCommitsEach; ++i) {
        // A row of its own, as with row locks no two threads have the same one.
        const std::string row = absl::StrCat(t, "-", i);
        const absl::string_view view = row;
        sequencer_->Assign({&view, 1}, [&](Timestamp timestamp) {
          ++answers;
          RaiseTo(largest, timestamp);
        });
        clock_.Advance(absl::Microseconds(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers, kThreads * kCommitsEach);
  EXPECT_EQ(sequencer_->stats().yields, 0);
  EXPECT_GE(sequencer_->floor(), largest);
}

}  // namespace
}  // namespace shale
