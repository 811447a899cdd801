// What the row commit sequencer promises, seen from outside of a region: over
// every variant, on a clock that the test moves.
#include <cerrno>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/region/region_components.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(1);

// A commit under way.
struct Commit {
  absl::Notification decided;
  ApplyResult result;
};

class RegionSequencerTest
    : public testing::TestWithParam<RowCommitSequencerVariant> {
 protected:
  RegionSequencerTest()
      : executor_(2, clock_),
        memory_(executor_),
        files_(memory_, executor_),
        host_(files_, TestHost::Schema(), {}, Options(), clock_) {
    EXPECT_OK(host_.Open());
  }

  bool sequences() const { return name() != "off"; }
  bool waits() const { return name() == "tick"; }
  std::string name() const { return GetParam().name; }
  Region& region() { return host_.region(); }

  void Begin(RowMutation mutation) {
    MutationBatch batch;
    batch.mutations.push_back(std::move(mutation));
    Begin(std::move(batch));
  }
  void Begin(MutationBatch batch) {
    Commit& commit = commits_.emplace_back();
    region().ApplyAsync(std::move(batch), [&commit](ApplyResult result) {
      commit.result = std::move(result);
      commit.decided.Notify();
    });
  }

  // A tick after whatever was before.
  template <typename Mutations>  // RowMutation or MutationBatch.
  Timestamp Write(Mutations mutations) {
    clock_.AdvanceMonotonic(kTick);
    Begin(std::move(mutations));
    commits_.back().decided.WaitForNotification();
    EXPECT_OK(commits_.back().result.status());
    return commits_.back().result.commit_timestamp;
  }

  void Reopen(bool crash) {
    if (crash) memory_.Crash(1);
    const absl::Status closed = host_.Close();
    EXPECT_TRUE(crash || closed.ok()) << closed;
    EXPECT_OK(host_.Open());
  }

  static HostOptions Options() {
    HostOptions options;
    options.components.commit_sequencer = GetParam().create;
    return options;
  }

  ManualClock clock_;
  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
  std::deque<Commit> commits_;  // Before the host, which decides them.
  TestHost host_;
};

// What only those that sequence promise, and what only those that wait can do.
class SequencedRegionTest : public RegionSequencerTest {};
class WaitingRegionTest : public RegionSequencerTest {};

std::string VariantName(
    const testing::TestParamInfo<RowCommitSequencerVariant>& info) {
  return info.param.name;
}

std::vector<RowCommitSequencerVariant> Named(
    const std::vector<std::string>& names) {
  std::vector<RowCommitSequencerVariant> variants;
  for (const RowCommitSequencerVariant& variant :
       RowCommitSequencerVariants()) {
    for (const std::string& name : names) {
      if (name == variant.name) variants.push_back(variant);
    }
  }
  return variants;
}

INSTANTIATE_TEST_SUITE_P(Variants, RegionSequencerTest,
                         testing::ValuesIn(RowCommitSequencerVariants()),
                         VariantName);
INSTANTIATE_TEST_SUITE_P(Variants, SequencedRegionTest,
                         testing::ValuesIn(Named({"tick", "monotonic"})),
                         VariantName);
INSTANTIATE_TEST_SUITE_P(Variants, WaitingRegionTest,
                         testing::ValuesIn(Named({"tick"})), VariantName);

TEST_P(SequencedRegionTest,
       TimestampsOfARowRiseStrictlyAcrossRestartsWithTheClockBehind) {
  Timestamp last = 0;
  for (int life = 0; life < 6; ++life) {
    for (int i = 0; i < 5; ++i) {
      const Timestamp next = Write(RowMutation("a").Put("f", "q", "v"));
      EXPECT_GT(next, last) << "life " << life << " commit " << i;
      last = next;
      Write(RowMutation("other").Put("f", "q", "v"));
      if (i == 2 && life >= 4) {
        ASSERT_OK(region().Flush().status());
      }
    }
    // The floor is in the manifest after a clean close, else in the log, and in
    // the end in both.
    Reopen(/*crash=*/life % 2 == 1);
    clock_.SetWall(clock_.Now() - absl::Hours(1));
  }
}

TEST_P(SequencedRegionTest, PutAfterAReadingOfTheEndOfTimeIsSeen) {
  const absl::Time now = clock_.Now();
  clock_.SetWall(absl::InfiniteFuture());
  Write(RowMutation("a").Put("f", "q", "first"));
  clock_.SetWall(now);
  Write(RowMutation("a").Put("f", "q", "second"));
  EXPECT_EQ(ReadText(region(), "a", {}, /*timestamps=*/false), "a/f:q=second");
  for (const bool crash : {false, true}) {
    Reopen(crash);
    EXPECT_EQ(ReadText(region(), "a", {}, /*timestamps=*/false),
              "a/f:q=second");
  }
  Write(RowMutation("a").Put("f", "q", "third"));
  EXPECT_EQ(ReadText(region(), "a", {}, /*timestamps=*/false), "a/f:q=third");
}

// With shared row locks two of them could take their timestamps in one order
// and their numbers in the other.
TEST_P(SequencedRegionTest, PutsOfManyThreadsRiseInNumberOrder) {
  constexpr int kThreads = 8;
  const int puts = waits() ? 20 : 400;  // Of each thread.
  TestHost host(TestHost::Schema(), {}, Options());
  std::vector<std::vector<ApplyResult>> of_threads(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<ApplyResult>& results : of_threads) {
    threads.emplace_back([&] {
      for (int i = 0; i < puts; ++i) {
        MutationBatch batch;
        batch.mutations.push_back(RowMutation("hot").Put("f", "q", "v"));
        batch.durability = Durability::kAsyncWal;
        results.push_back(host.region().Apply(std::move(batch)));
        ASSERT_OK(results.back().status());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<WriteNumber, Timestamp> all;
  for (const std::vector<ApplyResult>& results : of_threads) {
    for (const ApplyResult& result : results) {
      all[result.range.first] = result.commit_timestamp;
    }
  }
  ASSERT_EQ(all.size(), static_cast<size_t>(kThreads * puts));
  Timestamp before = 0;
  for (const auto& [number, timestamp] : all) {
    ASSERT_GT(timestamp, before) << number;
    before = timestamp;
  }
}

// Whatever depends on what is there: the next one finds the one before.
TEST_P(SequencedRegionTest, UpdatesRiseWhenTheClockStepsBack) {
  constexpr int kRounds = 4;
  Timestamp last = 0;
  Timestamp last_cell = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string next = absl::StrCat(round + 1);
    CheckAndMutate check("a", RowMutation("a").Put("f", "c", next));
    if (round == 0) {
      check.IfNotExists("f", "c");
    } else {
      check.IfEquals("f", "c", absl::StrCat(round));
    }
    for (MutationBatch& batch : std::vector<MutationBatch>{
             Increment("a").Add("f", "n", 1).TakeBatch(),
             Append("a").Add("f", "a", "x").TakeBatch(), check.TakeBatch()}) {
      const Timestamp timestamp = Write(std::move(batch));
      EXPECT_GT(timestamp, last);
      EXPECT_TRUE(commits_.back().result.matched);
      last = timestamp;
      for (const Cell& cell : commits_.back().result.rows[0].cells) {
        EXPECT_GT(cell.timestamp, last_cell);
        last_cell = cell.timestamp;
      }
      clock_.SetWall(clock_.Now() - absl::Minutes(10));
    }
  }
  EXPECT_EQ(
      ReadText(region(), "a", {}, /*timestamps=*/false),
      absl::StrCat("a/f:a=xxxx a/f:c=4 a/f:n=", std::string(7, '\0'), "\x04"));
}

TEST_P(RegionSequencerTest, ExplicitTimestampsAreNeverRewritten) {
  const Timestamp future =
      absl::ToUnixMicros(clock_.Now() + absl::Hours(24 * 365));
  const auto write = [&](const char* row) {
    return Write(RowMutation(row)
                     .Put("f", "past", "v", 5)
                     .Put("f", "future", "v", future)
                     .Put("f", "made", "v"));
  };
  // Twice, so that the row's last timestamp is known and must not matter.
  write("a");
  const Timestamp made = write("a");
  const std::string want = absl::StrCat("a/f:future@", future, "=v a/f:made@",
                                        made, "=v a/f:past@5=v");
  EXPECT_EQ(ReadText(region(), "a"), want);
  for (const bool crash : {true, false}) {
    Reopen(crash);
    EXPECT_EQ(ReadText(region(), "a"), want);
  }
  EXPECT_LT(write("b"), future) << "nor do they drag the others along";
  EXPECT_LT(write("a"), future);
}

TEST_P(WaitingRegionTest, WhoseTickComesAfterItsDeadlineIsRefused) {
  Write(RowMutation("hot").Put("f", "q", "first"));
  Begin(RowMutation("hot").Put("f", "q", "second"));
  clock_.Advance(RegionOptions().write_timeout);
  commits_.back().decided.WaitForNotification();
  EXPECT_THAT(commits_.back().result.status(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       testing::HasSubstr("waiting for a tick of the clock")));
  EXPECT_THAT(ReadText(region(), "hot"), testing::EndsWith("=first"));
}

TEST_P(WaitingRegionTest, WhatWritesNothingTakesNoTick) {
  Write(RowMutation("hot").Put("f", "q", "short").Increment("f", "n", 1));
  const auto update = [&](MutationBatch batch) {
    batch.want_results = true;
    Commit& commit = commits_.emplace_back();
    region().ApplyAsync(std::move(batch), [&commit](ApplyResult result) {
      commit.result = std::move(result);
      commit.decided.Notify();
    });
    while (!commit.decided.WaitForNotificationWithTimeout(absl::Seconds(1))) {
      clock_.AdvanceMonotonic(kTick);  // The yield that it was fails the test.
    }
    return commit.result;
  };
  const auto of = [](RowMutation mutation) {
    MutationBatch batch;
    batch.mutations.push_back(std::move(mutation));
    return batch;
  };
  for (int i = 0; i < 3; ++i) {
    const ApplyResult failed =
        update(CheckAndMutate("hot", RowMutation("hot").Put("f", "q", "v"))
                   .IfEquals("f", "none", "there")
                   .TakeBatch());
    EXPECT_OK(failed.status());
    EXPECT_FALSE(failed.matched);
    const ApplyResult zero =
        update(of(RowMutation("hot").Increment("f", "n", 0)));
    EXPECT_OK(zero.status());
    EXPECT_EQ(zero.commit_timestamp, 0);
    EXPECT_EQ(zero.rows[0].cells.size(), 1);
    EXPECT_THAT(update(of(RowMutation("hot").Increment("f", "q", 1))).status(),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  // In the tick after the first write they leave room for one that writes, even
  // one that starts over.
  clock_.AdvanceMonotonic(kTick);
  EXPECT_FALSE(
      update(of(RowMutation("hot").Increment("f", "q", 1))).status().ok());
  const std::string much(20000, 'x');
  EXPECT_OK(update(of(RowMutation("hot").Append("f", "q", much))).status());
  ASSERT_EQ(region().Stats().sequencer.yields, 0);
  Write(RowMutation("hot").Append("f", "q", much));
  EXPECT_EQ(region().Stats().sequencer.yields, 0);
}

// What it counts from is its own delete, whose timestamp it must know.
TEST_P(RegionSequencerTest, ACountBehindADeleteOfItsBatchTakesOneTick) {
  Write(RowMutation("hot").Increment("f", "q", 40));
  Write(RowMutation("hot")
            .Increment("f", "p", 1)
            .DeleteRow()
            .Increment("f", "q", 2));
  const ApplyResult& result = commits_.back().result;
  EXPECT_EQ(ReadText(region(), "hot"),
            absl::StrCat("hot/f:q@", result.commit_timestamp, "=",
                         std::string(7, '\0'), "\2"));
  EXPECT_EQ(region().Stats().sequencer.yields, 0);
}

// Even if it took a timestamp, to see what its own delete hides.
TEST_P(RegionSequencerTest, WhatWritesNothingReportsNoTimestamp) {
  const auto future =
      static_cast<Timestamp>(absl::ToUnixMicros(clock_.Now() + absl::Hours(1)));
  Write(RowMutation("r").Put("f", "q", "short", future).Increment("f", "n", 1));
  // The delete doesn't hide what is no counter.
  const RowMutation refused =
      RowMutation("r").DeleteColumn("f", "q").Increment("f", "q", 1);
  const auto batch_of = [](std::vector<RowMutation> mutations) {
    MutationBatch batch;
    batch.mutations = std::move(mutations);
    return batch;
  };
  MutationBatch atomic =
      batch_of({RowMutation("r").Put("f", "p", "v"), refused});
  atomic.atomic = true;
  const auto check = [](RowMutation mutation, const std::string& absent) {
    return CheckAndMutate("r", std::move(mutation))
        .IfNotExists("f", absent)
        .TakeBatch();
  };
  const struct {
    const char* what;
    MutationBatch batch;
    bool refused;
  } cases[] = {
      {"increment by 0", batch_of({RowMutation("r").Increment("f", "n", 0)}),
       false},
      {"refused increment", batch_of({refused}), true},
      {"refused atomic batch", atomic, true},
      {"failed check", check(RowMutation("r").Put("f", "q", "v"), "q"), false},
      {"failed check of a count behind a delete", check(refused, "q"), false},
      {"check that holds, refused increment", check(refused, "never"), true},
  };
  const std::string before = ReadText(region(), "r");
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    clock_.AdvanceMonotonic(kTick);
    Begin(c.batch);
    commits_.back().decided.WaitForNotification();
    const ApplyResult& result = commits_.back().result;
    EXPECT_EQ(result.status().ok(), !c.refused) << result.status();
    EXPECT_EQ(result.commit_timestamp, 0);
    EXPECT_EQ(result.range, WriteRange());
  }
  EXPECT_EQ(ReadText(region(), "r"), before);
  // What writes a part does.
  clock_.AdvanceMonotonic(kTick);
  Begin(batch_of({refused, RowMutation("r").Put("f", "p", "v")}));
  commits_.back().decided.WaitForNotification();
  EXPECT_GT(commits_.back().result.commit_timestamp, 0);
}

TEST_P(RegionSequencerTest, CommitsOfARowAreInOrderAndWaitOnlyForTicks) {
  constexpr int kCommits = 8;
  for (int i = 0; i < kCommits; ++i) {
    Begin(RowMutation("hot").Put("f", "q", absl::StrCat(i)));
  }
  for (int i = 0; i < kCommits; ++i) {
    Commit& commit = commits_[i];
    if (waits()) {
      for (int later = i + 1; later < kCommits; ++later) {
        EXPECT_FALSE(commits_[later].decided.HasBeenNotified()) << later;
      }
    }
    commit.decided.WaitForNotification();
    ASSERT_OK(commit.result.status());
    if (i > 0) {
      const ApplyResult& before = commits_[i - 1].result;
      EXPECT_LT(before.range.last, commit.result.range.first);
      if (sequences()) {
        EXPECT_LT(before.commit_timestamp, commit.result.commit_timestamp);
      }
    }
    if (waits() && i + 1 < kCommits) {
      // The next one has asked for this tick.
      while (region().Stats().sequencer.yields <= i) std::this_thread::yield();
      clock_.Advance(kTick);
    }
  }
  EXPECT_EQ(ReadText(region(), "hot", {}, /*timestamps=*/false),
            absl::StrCat("hot/f:q=", kCommits - 1));
  EXPECT_EQ(region().Stats().sequencer.yields, waits() ? kCommits - 1 : 0);
}

TEST_P(RegionSequencerTest, DisjointRowsNeedNoTick) {
  for (int i = 0; i < 100; ++i) {
    Begin(RowMutation(absl::StrCat("row", i)).Put("f", "q", "v"));
    commits_.back().decided.WaitForNotification();
    EXPECT_OK(commits_.back().result.status());
  }
  EXPECT_EQ(region().Stats().sequencer.yields, 0);
}

TEST_P(RegionSequencerTest, StatsTellHowFarTimestampsAreAhead) {
  Write(RowMutation("a").Put("f", "q", "v"));
  clock_.SetWall(clock_.Now() - absl::Hours(1));
  EXPECT_EQ(region().Stats().sequencer.run_ahead, absl::Hours(1));
}

TEST_P(WaitingRegionTest, LogThatDiesDuringTheWaitLeavesNothingAndFreesRows) {
  Write(RowMutation("a").Put("f", "q", "first"));
  Begin(RowMutation("a").Put("f", "q", "second"));
  files_.faults().Inject({.name = "host/wal/*",
                          .times = FaultRule::kAlways,
                          .fault = {.error_number = EIO}});
  Begin(RowMutation("b").Put("f", "q", "dies"));
  while (region().Health().state != HealthState::kPoisoned) {
    std::this_thread::yield();
  }
  Begin(RowMutation("a").Put("f", "q", "third"));
  clock_.Advance(kTick);
  for (Commit& commit : commits_) commit.decided.WaitForNotification();
  EXPECT_THAT(commits_[1].result.status(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(commits_[3].result.status(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(ReadText(region(), "a", {}, /*timestamps=*/false), "a/f:q=first");
}

}  // namespace
}  // namespace shale
