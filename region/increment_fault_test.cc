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
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

std::optional<int64_t> Counter(const RowResult& row) {
  const std::optional<absl::string_view> value = row.Value("f", "q");
  if (!value.has_value()) return std::nullopt;
  return static_cast<int64_t>(DecodeBigEndian64(value->data()));
}

// An operation that is under way.
class Pending {
 public:
  Region::UpdateDone callback() {
    return [this](UpdateResult result) {
      result_ = std::move(result);
      done_.Notify();
    };
  }
  bool answered() const { return done_.HasBeenNotified(); }
  const UpdateResult& Wait() {
    done_.WaitForNotification();
    return result_;
  }

 private:
  UpdateResult result_;
  absl::Notification done_;
};

class IncrementFaultTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  IncrementFaultTest() { EXPECT_OK(host_.Open()); }

  Region& region() { return host_.region(); }
  FaultPlan& faults() { return files_.faults(); }
  bool is_narrow() const {
    return GetParam().name.find("narrow") != std::string::npos;
  }

  static Increment One(UpdateOptions options = {}) {
    return Increment("r", options).Add("f", "q", 1);
  }
  std::optional<int64_t> Read(IsolationLevel isolation) {
    Get get{"r", {}};
    get.options.isolation = isolation;
    const absl::StatusOr<RowResult> row = region().Read(get);
    EXPECT_OK(row);
    return Counter(*row);
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
  void Crash() {
    files_.Crash(1);
    host_.Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_.Open());
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{files_, TestHost::Schema(), {}, GetParam().options};
};

// HBASE-4487: others built on a value that the log lost.
TEST_P(IncrementFaultTest, NobodyIsToldOfACountThatIsNotDurable) {
  HoldSyncs();
  Pending first, second, zero, check;
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
            GetParam().name.find("pipelined") == 0 ? 2 : 1);
  EXPECT_FALSE(first.answered() || second.answered() || zero.answered() ||
               check.answered());
  LetGo();
  EXPECT_EQ(Counter(first.Wait().row), 1);
  EXPECT_EQ(Counter(second.Wait().row), 2);
  EXPECT_EQ(Counter(zero.Wait().row), 2);
  EXPECT_FALSE(check.Wait().matched);
}

TEST_P(IncrementFaultTest, AFailedSyncIsRepeatedInAnotherSegment) {
  faults().Inject({.op = FileOp::kSync,
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
    for (uint64_t nth = 1; nth <= 6; ++nth) {
      SCOPED_TRACE(absl::StrCat(FileOpName(op), " ", nth));
      faults().Inject({.op = op,
                       .name = "host/wal/*",
                       .nth = nth,
                       .fault = {.error_number = EIO}});
      for (int round = 0; round < 2; ++round) {
        std::vector<Pending> pending(kCounts);
        for (Pending& count : pending) {
          region().IncrementAsync(One(), count.callback());
        }
        std::vector<std::optional<int64_t>> counts;
        std::vector<std::optional<int64_t>> wanted;
        for (Pending& count : pending) {
          ASSERT_OK(count.Wait().status);
          counts.push_back(Counter(count.Wait().row));
          wanted.push_back(++want);
        }
        EXPECT_THAT(counts, testing::UnorderedElementsAreArray(wanted));
      }
      faults().WithdrawAll();
    }
    Crash();
    EXPECT_EQ(Read(IsolationLevel::kReadCommitted), want);
  }
}

TEST_P(IncrementFaultTest, ADeadLogEndsEveryWaitAndTellsNothing) {
  ASSERT_OK(region().Increment(One()).status);
  const WriteNumber before = region().Stats().write_point;
  HoldSyncs();
  std::vector<std::thread> threads;
  std::vector<UpdateResult> results(6);
  Pending async;
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
                             (GetParam().name.find("pipelined") == 0 ? 3 : 1)};
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
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(region().Increment(One()).status);
    ASSERT_OK(region().Append(Append("r").Add("g", "a", "x")).status);
  }
  Scan scan;
  scan.options.max_versions = 10;
  scan.options.isolation = IsolationLevel::kReadUncommitted;
  const std::string before = ScanText(region(), scan);
  Crash();
  EXPECT_EQ(ScanText(region(), scan), before);
  Crash();  // Replaying twice gives the same.
  EXPECT_EQ(ScanText(region(), scan), before);
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
    count(level);
    // One after the other, so no sync serves both.
    EXPECT_GE(appends(), appends_before + 2);
    EXPECT_GE(syncs(), syncs_before + 2);
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
  Pending sync, skip;
  region().IncrementAsync(One(), sync.callback());
  faults().AwaitHeld(1);
  region().IncrementAsync(One({.durability = Durability::kSkipWal}),
                          skip.callback());
  EXPECT_FALSE(skip.answered());
  LetGo();
  EXPECT_EQ(Counter(skip.Wait().row), 2);
  EXPECT_EQ(Counter(sync.Wait().row), 1);
}

// A put has given its row back by the time that it waits for its sync.
TEST_P(IncrementFaultTest, ACountThatWaitsForNoSyncTellsOfNoPutThatDoes) {
  HoldSyncs();
  MutationBatch put;
  put.mutations.push_back(
      RowMutation("r").Put("f", "q", std::string(7, '\0') + '\x05'));
  absl::Notification put_done;
  region().ApplyAsync(std::move(put), [&](ApplyResult result) {
    EXPECT_OK(result.status());
    put_done.Notify();
  });
  faults().AwaitHeld(1);
  Pending async, skip;
  region().IncrementAsync(One({.durability = Durability::kAsyncWal}),
                          async.callback());
  region().IncrementAsync(One({.durability = Durability::kSkipWal}),
                          skip.callback());
  EXPECT_FALSE(async.answered() || skip.answered() ||
               put_done.HasBeenNotified());
  LetGo();
  EXPECT_EQ(Counter(async.Wait().row), 6);
  EXPECT_EQ(Counter(skip.Wait().row), 7);
  put_done.WaitForNotification();
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
  Pending async;
  region().IncrementAsync(five(), async.callback());
  EXPECT_EQ(async.Wait().row.cells, first.row.cells);
  Crash();
  check_repeat();
}

TEST_P(IncrementFaultTest, ARepeatWaitsForTheFirstOrUntilItsDeadline) {
  HoldSyncs();
  Pending first, second;
  region().IncrementAsync(One({.nonce = {1, 7}}), first.callback());
  faults().AwaitHeld(1);
  region().IncrementAsync(One({.nonce = {1, 7}}), second.callback());
  EXPECT_THAT(
      region()
          .Increment(One({.nonce = {1, 7}, .timeout = absl::Milliseconds(1)}))
          .status,
      StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_FALSE(second.answered());
  LetGo();
  EXPECT_EQ(Counter(first.Wait().row), 1);
  EXPECT_EQ(Counter(second.Wait().row), 1);
  EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), 1);
}

TEST_P(IncrementFaultTest, WhatCameToNothingMayBeRepeated) {
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", "short")));
  EXPECT_FALSE(region().Increment(One({.nonce = {1, 7}})).status.ok());
  ASSERT_OK(region().Apply(RowMutation("r").DeleteRow()));
  EXPECT_EQ(Counter(region().Increment(One({.nonce = {1, 7}})).row), 1);
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
  HoldSyncs();
  Pending first;
  region().IncrementAsync(One({.nonce = {1, 7}}), first.callback());
  faults().AwaitHeld(1);
  files_.Crash(5);
  EXPECT_TRUE(absl::IsUnknown(first.Wait().status));
  // Before the crash it was not answered, so it may be in the log or not.
  EXPECT_FALSE(region().Increment(One({.nonce = {1, 7}})).status.ok());
  host_.Close().IgnoreError();  // Its files are gone.
  ASSERT_OK(host_.Open());
  const UpdateResult repeat = region().Increment(One({.nonce = {1, 7}}));
  ASSERT_OK(repeat.status);
  EXPECT_EQ(Counter(repeat.row), 1);
  EXPECT_EQ(Read(IsolationLevel::kReadUncommitted), 1);
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementFaultTest,
                         testing::ValuesIn(IncrementMvccCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
