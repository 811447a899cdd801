// Read-modify-writes while the file system fails, and what the next open finds.
#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/sweep.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/tags.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/counters.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/pending_apply.h"
#include "shale/region/testing/pending_update.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

MutationBatch BatchOf(RowMutation mutation) {
  MutationBatch batch;
  batch.mutations.push_back(std::move(mutation));
  return batch;
}

class IncrementFaultTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  IncrementFaultTest() { EXPECT_OK(host_.Open()); }

  Region& region() { return host_.region(); }
  FaultPlan& faults() { return files_.faults(); }
  bool is_narrow() const { return GetParam().increment == "narrow"; }

  static Increment One(UpdateOptions options = {}) {
    return Increment("r", options).Add("f", "q", 1);
  }
  std::optional<int64_t> Read(IsolationLevel isolation) {
    Get get{"r", {}};
    get.options.isolation = isolation;
    const absl::StatusOr<RowResult> row = region().Read(get);
    EXPECT_OK(row);
    return CounterOf(*row);
  }
  // Every sync of the log waits from here on until Release().
  void HoldSyncs() {
    faults().Inject({.op = FileOp::kSync,
                     .name = "host/wal/*",
                     .times = FaultRule::kAlways,
                     .fault = {.effect = Fault::Effect::kHeld}});
  }
  void LetGo() {
    faults().WithdrawAll();
    faults().Release();
  }
  // REQUIRES: nothing is under way.
  void ExpectNothingUnfinished() {
    // `narrow` may have answered before: this is visible after all of them.
    ASSERT_OK(region().Apply(RowMutation("last").Put("f", "q", "v")));
    const RegionStats stats = region().Stats();
    EXPECT_EQ(stats.read_point, stats.write_point);
  }
  void Crash() {
    files_.Crash(1);
    host_.Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_.Open());
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{
      files_, TestHost::Schema({.max_versions = 10}), {}, GetParam().options};
};

// HBASE-4487: others built on a value that the log lost.
TEST_P(IncrementFaultTest, NobodyIsToldOfACountThatIsNotDurable) {
  HoldSyncs();
  PendingUpdate first, second, zero, check;
  region().IncrementAsync(One(), first.callback());
  faults().AwaitHeld(1);
  region().IncrementAsync(One(), second.callback());
  region().IncrementAsync(Increment("r").Add("f", "q", 0), zero.callback());
  region().CheckAndMutateAsync(
      CheckAndMutate("r", RowMutation("r").Put("f", "q", "x"))
          .IfNotExists("f", "q"),
      check.callback());
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), std::nullopt);
  EXPECT_EQ(Read(IsolationLevel::kReadUncommitted),
            GetParam().increment == "pipelined" ? 2 : 1);
  EXPECT_FALSE(first.answered() || second.answered() || zero.answered() ||
               check.answered());
  LetGo();
  EXPECT_EQ(CounterOf(first.Wait().row), 1);
  EXPECT_EQ(CounterOf(second.Wait().row), 2);
  EXPECT_EQ(CounterOf(zero.Wait().row), 2);
  EXPECT_FALSE(check.Wait().matched);
}

TEST_P(IncrementFaultTest, AFailedSyncIsRepeatedInAnotherSegment) {
  const FaultRuleId rule = faults().Inject({.op = FileOp::kSync,
                                            .name = "host/wal/*",
                                            .nth = 2,
                                            .times = 3,
                                            .fault = {.error_number = EIO}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        ASSERT_OK(region().Increment(One()).status);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults().picked(rule), 3);
  ExpectNothingUnfinished();
  Crash();
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), 40);
}

// The nth append or sync of the log fails once, whichever that is, and so the
// log rolls: callers see no error, nobody is stuck, and nothing is counted
// twice or lost.
TEST_P(IncrementFaultTest, OneFailureOfTheLogAtAnyPointIsSeenByNoCount) {
  constexpr int kCounts = 4;
  int64_t want = 0;
  for (const FileOp op : {FileOp::kAppend, FileOp::kSync}) {
    const Sweep sweep = SweepFrom(1);
    bool reached = true;
    for (uint64_t nth = sweep.first; reached; nth += sweep.stride) {
      SCOPED_TRACE(absl::StrCat(FileOpName(op), " ", nth));
      const FaultRuleId rule =
          faults().Inject({.op = op,
                           .name = "host/wal/*",
                           .nth = nth,
                           .fault = {.error_number = EIO}});
      for (int round = 0; round < 2; ++round) {
        std::vector<PendingUpdate> pending(kCounts);
        for (PendingUpdate& count : pending) {
          region().IncrementAsync(One(), count.callback());
        }
        std::vector<std::optional<int64_t>> counts;
        std::vector<std::optional<int64_t>> wanted;
        for (PendingUpdate& count : pending) {
          ASSERT_OK(count.Wait().status);
          counts.push_back(CounterOf(count.Wait().row));
          wanted.push_back(++want);
        }
        EXPECT_THAT(counts, testing::UnorderedElementsAreArray(wanted));
      }
      reached = faults().picked(rule) > 0;
      ASSERT_TRUE(reached || nth > 1) << "nothing ever failed";
      faults().WithdrawAll();
      ExpectNothingUnfinished();
    }
    Crash();
    EXPECT_EQ(Read(IsolationLevel::kReadCommitted), want);
  }
}

// The refusal tells of the value that it is refused for.
TEST_P(IncrementFaultTest, NobodyIsRefusedForAValueThatIsNotDurable) {
  HoldSyncs();
  PendingApply put(region(), BatchOf(RowMutation("r").Put("f", "q", "short")));
  faults().AwaitHeld(1);
  PendingApply refused(region(), One().TakeBatch());
  EXPECT_FALSE(put.answered() || refused.answered());
  LetGo();
  EXPECT_OK(put.Wait().status());
  EXPECT_THAT(refused.Wait().status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(IncrementFaultTest, ADeadLogEndsEveryWaitAndTellsNothing) {
  ASSERT_OK(region().Increment(One()).status);
  const WriteNumber before = region().Stats().write_point;
  HoldSyncs();
  std::vector<std::thread> threads;
  std::vector<UpdateResult> results(6);
  PendingUpdate async;
  region().IncrementAsync(One(), async.callback());
  faults().AwaitHeld(1);
  for (size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      switch (t % 3) {
        case 0:
          results[t] = region().Increment(One());
          break;
        case 1:
          results[t] = region().Increment(Increment("r").Add("f", "q", 0));
          break;
        case 2:
          results[t] = region().CheckAndMutate(
              CheckAndMutate("r", RowMutation("r").Put("f", "q", "x"))
                  .IfNotExists("f", "q"));
          break;
      }
    });
  }
  // Under `pipelined` the increments wait for their own syncs; under the others
  // for the row, if they have got there.
  const WriteNumber begun = {before.value +
                             (GetParam().increment == "pipelined" ? 3 : 1)};
  while (region().Stats().write_point < begun) std::this_thread::yield();
  files_.Crash(1);  // The lease is gone, so no new segment can be made.
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(absl::IsUnknown(async.Wait().status)) << async.Wait().status;
  for (size_t t = 0; t < results.size(); ++t) {
    const absl::Status& status = results[t].status;
    if (t % 3 == 0) {
      EXPECT_TRUE(absl::IsUnknown(status) || absl::IsFailedPrecondition(status))
          << status;
    } else {
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    }
    EXPECT_TRUE(results[t].row.empty());
    EXPECT_TRUE(results[t].matched);
  }
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), 1);
}

// HBASE-26713: what was logged differed from what was in memory.
TEST_P(IncrementFaultTest, ReplayBringsBackEveryCellAsItWas) {
  std::string first, second;
  AppendTag({1, "ttl"}, &first);
  AppendTag({2, "other"}, &second);
  const Durability levels[] = {Durability::kSyncWal, Durability::kAsyncWal,
                               Durability::kSkipWal, Durability::kFsyncWal};
  for (int i = 0; i < 9; ++i) {  // The last is logged.
    const UpdateOptions options{.durability = levels[i % 4]};
    ASSERT_OK(region()
                  .Increment(One(options).WithTags(i % 2 == 0 ? first : second))
                  .status);
    ASSERT_OK(region()
                  .Append(Append("r", options)
                              .Add("g", "a", "x")
                              .WithTags(i % 3 == 0 ? second : first))
                  .status);
  }
  Get get{"r", {}};
  get.options.isolation = IsolationLevel::kReadUncommitted;
  ASSERT_OK_AND_ASSIGN(const RowResult before, region().Read(get));
  ASSERT_EQ(before.cells.size(), 2);
  EXPECT_EQ(before.cells[0].tags.size(), first.size() + second.size());
  for (int i = 0; i < 2; ++i) {  // Replaying twice gives the same.
    Crash();
    ASSERT_OK_AND_ASSIGN(const RowResult after, region().Read(get));
    EXPECT_EQ(after.cells, before.cells);
  }
}

// And of every version of it that was logged.
TEST_P(IncrementFaultTest, ReplayBringsBackEveryVersionAsItWas) {
  std::vector<Cell> logged;
  // The last is on the device, and so is all before it.
  const Durability levels[] = {Durability::kAsyncWal, Durability::kSkipWal,
                               Durability::kFsyncWal};
  for (int i = 0; i < 9; ++i) {
    const UpdateResult result =
        region().Increment(One({.durability = levels[i % 3]}));
    ASSERT_OK(result.status);
    if (levels[i % 3] == Durability::kSkipWal) continue;
    logged.insert(logged.begin(), result.row.cells[0]);
  }
  Crash();
  Get get{"r", {}};
  get.options.max_versions = 10;
  ASSERT_OK_AND_ASSIGN(const RowResult after, region().Read(get));
  EXPECT_EQ(after.cells, logged);
}

// HBASE-16971, HBASE-17504: an operation's own level was ignored.
TEST_P(IncrementFaultTest, TheLogHoldsTheSumAlsoOfWhatSkippedIt) {
  const UpdateOptions skip{.durability = Durability::kSkipWal};
  const WriteNumber empty = region().Stats().write_point;
  ASSERT_OK(region().Increment(One(skip)).status);
  ASSERT_GT(region().Stats().write_point, empty);
  Crash();
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), std::nullopt);
  ASSERT_OK(region().Increment(One(skip)).status);
  ASSERT_OK(region().Increment(One()).status);
  Crash();
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), 2);
  ASSERT_OK(
      region().Increment(One({.durability = Durability::kFsyncWal})).status);
  Crash();
  EXPECT_EQ(Read(IsolationLevel::kReadCommitted), 3);
}

// HBASE-16971 again: what each level asks of the log.
TEST_P(IncrementFaultTest, EachLevelIsCountedAtTheLog) {
  const auto appends = [&] { return faults().calls(FileOp::kAppend); };
  const auto syncs = [&] { return faults().calls(FileOp::kSync); };
  const auto full_syncs = [&] { return faults().full_syncs(); };
  const auto count = [&](Durability durability) {
    ASSERT_OK(region().Increment(One({.durability = durability})).status);
    ASSERT_OK(
        region()
            .Append(Append("r", {.durability = durability}).Add("g", "a", "x"))
            .status);
  };
  count(Durability::kSyncWal);
  uint64_t appends_before = appends();
  uint64_t syncs_before = syncs();
  count(Durability::kSkipWal);
  EXPECT_EQ(appends(), appends_before);
  EXPECT_EQ(syncs(), syncs_before);
  for (const Durability level : {Durability::kSyncWal, Durability::kFsyncWal}) {
    appends_before = appends();
    syncs_before = syncs();
    const uint64_t full_before = full_syncs();
    count(level);
    // One after the other, so no sync serves both.
    EXPECT_GE(appends(), appends_before + 2);
    EXPECT_GE(syncs(), syncs_before + 2);
    EXPECT_EQ(full_syncs() - full_before,
              level == Durability::kFsyncWal ? 2 : 0);
  }
  HoldSyncs();
  appends_before = appends();
  ASSERT_OK(
      region().Increment(One({.durability = Durability::kAsyncWal})).status);
  faults().AwaitHeld(1);  // Answered already, and on its way.
  EXPECT_GE(appends(), appends_before + 1);
  LetGo();
}

TEST_P(IncrementFaultTest, AnAsyncCountIsAnsweredBeforeItsSync) {
  HoldSyncs();
  ASSERT_OK(
      region().Increment(One({.durability = Durability::kAsyncWal})).status);
  LetGo();
}

TEST_P(IncrementFaultTest, ACountThatSkipsTheLogWaitsForWhatItBuildsOn) {
  HoldSyncs();
  PendingUpdate sync, skip;
  region().IncrementAsync(One(), sync.callback());
  faults().AwaitHeld(1);
  region().IncrementAsync(One({.durability = Durability::kSkipWal}),
                          skip.callback());
  EXPECT_FALSE(skip.answered());
  LetGo();
  EXPECT_EQ(CounterOf(skip.Wait().row), 2);
  EXPECT_EQ(CounterOf(sync.Wait().row), 1);
}

// A put has given its row back by the time that it waits for its sync.
TEST_P(IncrementFaultTest, ACountThatWaitsForNoSyncTellsOfNoPutThatDoes) {
  HoldSyncs();
  PendingApply put(region(), BatchOf(RowMutation("r").Put(
                                 "f", "q", std::string(7, '\0') + '\x05')));
  faults().AwaitHeld(1);
  PendingUpdate async, skip;
  region().IncrementAsync(One({.durability = Durability::kAsyncWal}),
                          async.callback());
  region().IncrementAsync(One({.durability = Durability::kSkipWal}),
                          skip.callback());
  EXPECT_FALSE(async.answered() || skip.answered() || put.answered());
  LetGo();
  EXPECT_EQ(CounterOf(async.Wait().row), 6);
  EXPECT_EQ(CounterOf(skip.Wait().row), 7);
  EXPECT_OK(put.Wait().status());
}

// HBASE-24515, HBASE-25678, HBASE-28599: repeats were applied twice, or told
// another's result.
TEST_P(IncrementFaultTest, ARepeatIsToldWhatTheFirstWasTold) {
  const auto five = [] {
    return Increment("r", {.nonce = {1, 7}}).Add("f", "q", 5);
  };
  const UpdateResult first = region().Increment(five());
  ASSERT_OK(first.status);
  ASSERT_OK(region().Increment(Increment("r").Add("f", "q", 3)).status);
  const auto check_repeat = [&] {
    const UpdateResult repeat = region().Increment(five());
    ASSERT_OK(repeat.status);
    EXPECT_EQ(repeat.row.cells, first.row.cells);
    EXPECT_EQ(repeat.range, first.range);
    EXPECT_EQ(repeat.commit_timestamp, first.commit_timestamp);
    EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), 8);
  };
  check_repeat();
  PendingUpdate async;
  region().IncrementAsync(five(), async.callback());
  EXPECT_EQ(async.Wait().row.cells, first.row.cells);
  Crash();
  check_repeat();
}

TEST_P(IncrementFaultTest, ARepeatWaitsForTheFirstOrUntilItsDeadline) {
  HoldSyncs();
  PendingUpdate first, second;
  region().IncrementAsync(One({.nonce = {1, 7}}), first.callback());
  faults().AwaitHeld(1);
  region().IncrementAsync(One({.nonce = {1, 7}}), second.callback());
  EXPECT_THAT(
      region()
          .Increment(One({.nonce = {1, 7}, .timeout = absl::Milliseconds(1)}))
          .status,
      StatusIs(absl::StatusCode::kUnknown));
  EXPECT_FALSE(second.answered());
  LetGo();
  EXPECT_EQ(CounterOf(first.Wait().row), 1);
  EXPECT_EQ(CounterOf(second.Wait().row), 1);
  EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), 1);
}

TEST_P(IncrementFaultTest, WhatCameToNothingMayBeRepeated) {
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", "short")));
  EXPECT_FALSE(region().Increment(One({.nonce = {1, 7}})).status.ok());
  ASSERT_OK(region().Apply(RowMutation("r").DeleteRow()));
  EXPECT_EQ(CounterOf(region().Increment(One({.nonce = {1, 7}})).row), 1);
}

TEST_P(IncrementFaultTest, ABatchWithANonceIsAppliedOnce) {
  MutationBatch batch;
  batch.mutations = {RowMutation("r").Increment("f", "q", 1),
                     RowMutation("s").Append("f", "q", "x")};
  batch.nonce = {1, 7};
  batch.want_results = true;
  EXPECT_THAT(region().Apply(batch).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  batch.atomic = true;
  const ApplyResult first = region().Apply(batch);
  ASSERT_OK(first.status());
  const ApplyResult repeat = region().Apply(batch);
  ASSERT_OK(repeat.status());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(repeat.rows[i].cells, first.rows[i].cells);
  }
  EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), 1);
}

TEST_P(IncrementFaultTest, WhatBecameOfAnUnknownOutcomeTheNextOpenKnows) {
  int64_t count = 0;
  int survived = 0, lost = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(absl::StrCat("crash ", seed));
    ASSERT_OK(region().Increment(One()).status);
    ++count;
    HoldSyncs();
    PendingApply first(region(), One({.nonce = {1, seed}}).TakeBatch());
    faults().AwaitHeld(1);
    files_.Crash(seed);
    EXPECT_TRUE(absl::IsUnknown(first.Wait().status()));
    // It was not confirmed before the crash: it may be in the log or not.
    EXPECT_THAT(region().Increment(One({.nonce = {1, seed}})).status,
                StatusIs(absl::StatusCode::kUnknown));
    EXPECT_THAT(region().Increment(One({.nonce = {2, seed}})).status,
                StatusIs(absl::StatusCode::kFailedPrecondition));
    host_.Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_.Open());
    const std::optional<int64_t> found = Read(IsolationLevel::kReadCommitted);
    ++(found == count ? lost : survived);
    ++count;
    for (int i = 0; i < 2; ++i) {
      const UpdateResult repeat = region().Increment(One({.nonce = {1, seed}}));
      ASSERT_OK(repeat.status);
      EXPECT_EQ(CounterOf(repeat.row), count);
    }
    EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), count);
  }
  EXPECT_GT(survived, 0);
  EXPECT_GT(lost, 0);
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementFaultTest,
                         testing::ValuesIn(IncrementFailureCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
