// What the variants of RowCommitSequencer that sequence promise beyond the
// conformance test: in the order of write numbers a row's timestamps rise
// strictly, whatever the clock does.

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/locking/testing/commit_recorder.h"

namespace shale {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(1);

std::vector<RowCommitSequencerVariant> SequencingVariants() {
  ManualClock clock;
  DeterministicExecutor executor(clock, 0);
  std::vector<RowCommitSequencerVariant> variants;
  for (const RowCommitSequencerVariant& variant :
       RowCommitSequencerVariants()) {
    if (variant.create(clock, executor)->needs_exclusive_locks()) {
      variants.push_back(variant);
    }
  }
  return variants;
}

class RowSequencingTest
    : public testing::TestWithParam<RowCommitSequencerVariant> {
 protected:
  bool may_wait() const { return std::string(GetParam().name) == "tick"; }

  void Commit(std::vector<std::string> rows) {
    recorder_->Commit(std::move(rows));
  }

  // Each tick ends one commit at least of those that wait, and one more tick
  // leaves the rows of the last one behind.
  void Finish() {
    for (int ticks = recorder_->unfinished() + 1; ticks > 0; --ticks) {
      clock_.AdvanceMonotonic(kTick);
      executor_.RunUntilIdle();
    }
    EXPECT_EQ(recorder_->unfinished(), 0);
  }

  // Checks what the present sequencer did, and begins anew where it ended.
  void Restart() {
    Check();
    const Timestamp floor = sequencer_->floor();
    recorder_ = nullptr;
    sequencer_ = GetParam().create(clock_, executor_);
    sequencer_->RaiseFloor(floor);
    recorder_ =
        std::make_unique<CommitRecorder>(*sequencer_, clock_, executor_);
  }

  // The naive twin: of each row the last timestamp and tick, by name.
  void Check() {
    std::map<std::string, int64_t> last_tick;
    for (const RecordedCommit& commit : recorder_->commits()) {
      const Timestamp wall = WallTimestamp(commit.wall);
      EXPECT_GE(commit.timestamp, wall);
      if (commit.rows.empty()) continue;
      EXPECT_LE(commit.timestamp, std::max(wall, newest_ + 1));
      newest_ = std::max(newest_, commit.timestamp);
      const int64_t tick = TickNumber(commit.assigned, kTick);
      bool must_wait = false;
      for (const std::string& row : commit.rows) {
        const auto last = last_tick.find(row);
        if (last == last_tick.end()) continue;
        must_wait |= last->second == TickNumber(commit.asked, kTick);
        if (may_wait()) {
          EXPECT_GT(tick, last->second) << "row " << row;
        }
      }
      EXPECT_EQ(commit.waited, must_wait && may_wait())
          << "commit " << commit.id;
      for (const std::string& row : commit.rows) last_tick[row] = tick;
    }
    EXPECT_GE(sequencer_->floor(), newest_);
    ExpectRising(recorder_->commits(), last_);
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, TestSeed()};
  std::unique_ptr<RowCommitSequencer> sequencer_ =
      GetParam().create(clock_, executor_);
  std::unique_ptr<CommitRecorder> recorder_ =
      std::make_unique<CommitRecorder>(*sequencer_, clock_, executor_);
  std::map<std::string, Timestamp> last_;
  Timestamp newest_ = 0;  // Of all rows.
};

INSTANTIATE_TEST_SUITE_P(Variants, RowSequencingTest,
                         testing::ValuesIn(SequencingVariants()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(RowSequencingTest, RisesWhileTheWallClockStandsStillForAHundredTicks) {
  for (int i = 0; i < 100; ++i) {
    Commit({"a"});
    Commit({"a", "b"});
    Finish();
  }
  Check();
}

TEST_P(RowSequencingTest, RisesWhenTheWallClockStepsBack) {
  for (int i = 0; i < 50; ++i) {
    Commit({"a"});
    clock_.SetWall(clock_.Now() - absl::Seconds(1));
    Commit({"a"});
    Finish();
  }
  Check();
}

TEST_P(RowSequencingTest, RisesWhenTheWallClockJumpsForwardAndBackAgain) {
  const absl::Time start = clock_.Now();
  for (int i = 0; i < 20; ++i) {
    Commit({"a"});
    clock_.SetWall(start + absl::Hours(24 * 365));
    Commit({"a"});
    Finish();
    clock_.SetWall(start);
  }
  Check();
}

TEST_P(RowSequencingTest, RisesWhenTheWallClockReadsTheEndOfTimeForAWhile) {
  const absl::Time start = clock_.Now();
  for (const absl::Time end :
       {absl::InfiniteFuture(), absl::FromUnixMicros(kMaxTimestamp - 1)}) {
    clock_.SetWall(end);
    Commit({"a"});
    Finish();
    Restart();
    clock_.SetWall(start);
    Commit({"a"});
    Commit({"b"});
    Finish();
  }
  Check();
  EXPECT_LT(last_["a"], kMaxTimestamp - 1);
}

// As a manifest may have it that was written under such a reading.
TEST_P(RowSequencingTest, FloorAtTheEndOfTimeIsNotPassed) {
  for (const Timestamp floor : {kMaxTimestamp - 1, kMaxTimestamp}) {
    sequencer_->RaiseFloor(floor);
    for (int i = 0; i < 3; ++i) {
      Commit({"a"});
      Finish();
      EXPECT_EQ(recorder_->commits().back().timestamp, kMaxTimestamp - 1);
    }
  }
}

TEST_P(RowSequencingTest, RisesAcrossARestartWithTheClockBehind) {
  for (int life = 0; life < 5; ++life) {
    for (int i = 0; i < 10; ++i) {
      Commit({"a"});
      Commit({"b"});
      Finish();
    }
    Restart();
    clock_.SetWall(clock_.Now() - absl::Hours(1));
  }
  Commit({"never before"});
  Finish();
  Check();
  EXPECT_GT(last_["never before"], absl::ToUnixMicros(clock_.Now()));
}

TEST_P(RowSequencingTest, FirstTimestampIsAboveARaisedFloor) {
  const Timestamp floor = WallTimestamp(clock_) + 777;
  sequencer_->RaiseFloor(floor);
  sequencer_->RaiseFloor(floor - 500);
  newest_ = floor;
  Commit({"a"});
  Commit({"b", "c"});
  Finish();
  Check();
  for (const auto& [row, timestamp] : last_) EXPECT_GT(timestamp, floor) << row;
}

TEST_P(RowSequencingTest, RandomCommitsAgreeWithTheNaiveTwin) {
  Random random(TestSeed());
  for (int step = 0; step < 5000; ++step) {
    const uint64_t draw = random.Uniform(100);
    if (draw < 60) {
      std::vector<std::string> rows;
      for (char row = 'a'; row < 'f'; ++row) {
        if (random.OneIn(3)) rows.emplace_back(1, row);
      }
      Commit(std::move(rows));
    } else if (draw < 80) {
      clock_.Advance(absl::Microseconds(random.Uniform(1500)));
      // A timer may be late.
      if (!random.OneIn(4)) executor_.RunUntilIdle();
    } else if (draw < 85) {
      clock_.AdvanceMonotonic(absl::Microseconds(random.Uniform(3000)));
      executor_.RunUntilIdle();
    } else if (draw < 93) {
      const int64_t by = static_cast<int64_t>(random.Skewed(24));
      clock_.SetWall(clock_.Now() +
                     (random.OneIn(2) ? 1 : -1) * absl::Microseconds(by));
    } else if (draw < 94) {
      Finish();
      Restart();
      clock_.SetWall(clock_.Now() -
                     absl::Microseconds(random.Uniform(5'000'000)));
    } else {
      executor_.RunUntilIdle();
    }
    if (!may_wait()) {
      ASSERT_EQ(recorder_->unfinished(), 0);
    }
  }
  Finish();
  Check();
}

// A clock that other threads move, in all its ways, while many commit.
TEST_P(RowSequencingTest, ThreadsAgreeWhileTheClockIsMoved) {
  constexpr int kThreads = 4;
  constexpr int kCommits = 300;
  ManualClock clock;
  ThreadPoolExecutor executor(2, clock);
  const std::unique_ptr<RowCommitSequencer> sequencer =
      GetParam().create(clock, executor);
  CommitRecorder recorder(*sequencer, clock, executor);
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(TestSeed() + t);
      for (int i = 0; i < kCommits; ++i) {
        std::vector<std::string> rows = {absl::StrCat("own", t)};
        if (random.OneIn(4)) rows.push_back("shared");
        if (random.OneIn(8)) rows.push_back("other");
        recorder.Commit(std::move(rows));
      }
      --running;
    });
  }
  Random random(TestSeed());
  while (running > 0 || recorder.unfinished() > 0) {
    clock.Advance(absl::Microseconds(random.Uniform(1000)));
    if (random.OneIn(10)) clock.SetWall(clock.Now() - absl::Milliseconds(20));
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<RecordedCommit> commits = recorder.commits();
  EXPECT_EQ(commits.size(), kThreads * kCommits);
  ExpectRising(commits, last_);
}

// Each thread has a row of its own and commits it once a tick: whatever the
// others do, and wherever the clock is between two looks at it, it never waits.
TEST_P(RowSequencingTest, ThreadsWithDisjointRowsNeverWait) {
  ManualClock clock;
  ThreadPoolExecutor executor(1, clock);
  const std::unique_ptr<RowCommitSequencer> sequencer =
      GetParam().create(clock, executor);
  std::atomic<bool> stop{false};
  std::thread ticker([&] {
    while (!stop) {
      clock.Advance(absl::Microseconds(100));
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::string name = absl::StrCat("row", t);
      const absl::string_view row = name;
      for (int i = 0; i < 200; ++i) {
        std::atomic<bool> assigned{false};
        sequencer->Assign({&row, 1}, [&](Timestamp) { assigned = true; });
        if (!assigned) {
          ADD_FAILURE() << "commit " << i << " of " << name << " waits";
          while (!assigned) std::this_thread::yield();
        }
        const int64_t tick = TickNumber(clock.Monotonic(), kTick);
        while (TickNumber(clock.Monotonic(), kTick) == tick) {
          std::this_thread::yield();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  stop = true;
  ticker.join();
  EXPECT_EQ(sequencer->stats().yields, 0);
}

}  // namespace
}  // namespace shale
