// Operations that are sent again, through all that may come between: others of
// the row, flushes, answers that come late, reopened regions, crashes. By every
// variant of the increment.
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

class NonceTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  NonceTest() { EXPECT_OK(host_.Open()); }

  Region& region() { return host_.region(); }
  FaultPlan& faults() { return files_.faults(); }
  void Crash() {
    files_.Crash(1);
    host_.Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_.Open());
  }
  UpdateResult Count(int64_t delta, uint64_t nonce = 0) {
    return region().Increment(
        Increment("r", {.nonce = {1, nonce}}).Add("f", "q", delta));
  }
  // The counter now, which is of the old state if nothing was applied.
  int64_t Now() {
    const UpdateResult zero = Count(0);
    EXPECT_OK(zero.status);
    return Value(zero.row).value_or(0);
  }
  static std::optional<int64_t> Value(const RowResult& row) {
    const std::optional<absl::string_view> value = row.Value("f", "q");
    if (!value.has_value()) return std::nullopt;
    return static_cast<int64_t>(DecodeBigEndian64(value->data()));
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{files_, TestHost::Schema(), {}, GetParam().options};
};

// With one version a flush drops what the first had written; an older file
// still has the value before it.
TEST_P(NonceTest, ARepeatIsNotToldTheValueOfAnOlderFile) {
  ASSERT_OK(Count(2).status);
  ASSERT_OK(region().Flush());
  const UpdateResult first = Count(3, 7);
  ASSERT_OK(first.status);
  ASSERT_OK(Count(3).status);
  ASSERT_OK(region().Flush());
  const UpdateResult repeat = Count(3, 7);
  ASSERT_OK(repeat.status);
  EXPECT_EQ(repeat.row.cells, first.row.cells);
  Crash();
  const UpdateResult later = Count(3, 7);
  ASSERT_OK(later.status);
  EXPECT_EQ(later.range, first.range);
  EXPECT_TRUE(later.row.cells.empty()) << Text(later.row);
  EXPECT_EQ(Now(), 8);
}

// One batch may say several things about a column.
TEST_P(NonceTest, ARepeatIsToldEachStepOfItsBatch) {
  ASSERT_OK(Count(40).status);
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "old", "12345678", 5)));
  MutationBatch batch;
  batch.atomic = true;
  batch.want_results = true;
  batch.nonce = {1, 7};
  batch.mutations = {
      RowMutation("r").Increment("f", "q", 1),
      RowMutation("r").Increment("f", "q", 1),
      RowMutation("r").Increment("f", "p", 5).DeleteColumn("f", "p"),
      RowMutation("r").Append("f", "o", "x").Put("f", "o", "y"),
      RowMutation("r").Increment("f", "old", 0, {0, 5}).Append("f", "n", "z"),
  };
  const ApplyResult first = region().Apply(batch);
  ASSERT_OK(first.status());
  ASSERT_EQ(Value(first.rows[0]), 41);
  ASSERT_EQ(Value(first.rows[1]), 42);
  ASSERT_EQ(Text(first.rows[4], false), "r/f:n=z");
  const auto check_repeat = [&] {
    const ApplyResult repeat = region().Apply(batch);
    ASSERT_OK(repeat.status());
    ASSERT_EQ(repeat.rows.size(), first.rows.size());
    for (size_t i = 0; i < first.rows.size(); ++i) {
      EXPECT_EQ(repeat.rows[i].row, "r");
      EXPECT_EQ(repeat.rows[i].cells, first.rows[i].cells) << i;
    }
  };
  check_repeat();
  Crash();
  check_repeat();  // All is in memory again.
  EXPECT_EQ(Now(), 42);
}

TEST_P(NonceTest, ARepeatMayWantWhatTheFirstDidNot) {
  const auto count = [&](bool want_results) {
    return region().Increment(
        Increment("r", {.want_results = want_results, .nonce = {1, 7}})
            .Add("f", "q", 1));
  };
  EXPECT_TRUE(count(false).row.empty());
  EXPECT_EQ(Value(count(true).row), 1);
  EXPECT_TRUE(count(false).row.empty());
}

TEST_P(NonceTest, WhatIsConfirmedLateIsToldToARepeat) {
  faults().Inject({.op = FileOp::kSync,
                   .name = "host/wal/*",
                   .times = FaultRule::kAlways,
                   .fault = {.effect = Fault::Effect::kHeld}});
  const auto one = [](absl::Duration timeout) {
    return Increment("r", {.nonce = {1, 7}, .timeout = timeout})
        .Add("f", "q", 1);
  };
  EXPECT_THAT(region().Increment(one(absl::Milliseconds(1))).status,
              StatusIs(absl::StatusCode::kUnknown));
  EXPECT_THAT(region().Increment(one(absl::Milliseconds(1))).status,
              StatusIs(absl::StatusCode::kUnknown));
  faults().WithdrawAll();
  faults().Release();
  const UpdateResult repeat = region().Increment(one(absl::Minutes(1)));
  ASSERT_OK(repeat.status);
  EXPECT_EQ(Value(repeat.row), 1);
  EXPECT_EQ(Now(), 1);
}

// If it were told anything else its client might count again.
TEST_P(NonceTest, ARepeatOfWhatWasAppendedIsNeverToldThatNothingWas) {
  ASSERT_OK(Count(1, 7).status);
  const auto wants_its_value = [&] {
    return region().Increment(
        Increment("r", {.nonce = {1, 7}}).Add("f", "q", 1));
  };
  // Its result isn't remembered, and can't be read.
  ASSERT_OK(region().Flush());
  Crash();
  const FaultRuleId unreadable =
      faults().Inject({.op = FileOp::kRead,
                       .name = "host/regions/*.store",
                       .times = FaultRule::kAlways});
  EXPECT_THAT(wants_its_value().status, StatusIs(absl::StatusCode::kUnknown));
  faults().Withdraw(unreadable);
  EXPECT_EQ(Value(wants_its_value().row), 1);
  // Its log dies.
  faults().Inject({.name = "host/wal/*", .times = FaultRule::kAlways});
  EXPECT_THAT(Count(1, 8).status, StatusIs(absl::StatusCode::kUnknown));
  EXPECT_THAT(Count(1, 8).status, StatusIs(absl::StatusCode::kUnknown));
  EXPECT_OK(Count(1, 7).status) << "known, and was durable before";
  EXPECT_THAT(Count(1, 9).status,
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(NonceTest, ARepeatIsDurableAtItsOwnLevel) {
  const auto count = [&](Durability durability, absl::Duration timeout) {
    return region()
        .Increment(Increment("r", {.durability = durability,
                                   .nonce = {1, 7},
                                   .timeout = timeout})
                       .Add("f", "q", 1))
        .status;
  };
  const auto hold_syncs = [&] {
    faults().Inject({.op = FileOp::kSync,
                     .name = "host/wal/*",
                     .times = FaultRule::kAlways,
                     .fault = {.effect = Fault::Effect::kHeld}});
  };
  const auto let_go = [&] {
    faults().WithdrawAll();
    faults().Release();
  };
  hold_syncs();
  ASSERT_OK(count(Durability::kAsyncWal, absl::Minutes(1)));
  EXPECT_OK(count(Durability::kAsyncWal, absl::Minutes(1)));
  EXPECT_THAT(count(Durability::kSyncWal, absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kUnknown));
  let_go();
  EXPECT_OK(count(Durability::kSyncWal, absl::Minutes(1)));
  // Its data is durable, its file's metadata isn't.
  hold_syncs();
  EXPECT_OK(count(Durability::kSyncWal, absl::Minutes(1)));
  EXPECT_THAT(count(Durability::kFsyncWal, absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kUnknown));
  let_go();
  EXPECT_OK(count(Durability::kFsyncWal, absl::Minutes(1)));
  EXPECT_EQ(Now(), 1);
}

TEST_P(NonceTest, NothingOfAGracePeriodIsForgottenAtAnOpen) {
  const std::function<void()> steps[] = {
      [&] { host_.ReopenRegion(); },
      [&] { host_.Reopen(); },
      [&] { Crash(); },
      [&] { ASSERT_OK(region().Flush()); },
      [&] { ASSERT_OK(region().Compact()); },
  };
  Random random(TestSeed());
  std::vector<UpdateResult> firsts;
  for (int round = 0; round < 12; ++round) {
    firsts.push_back(Count(1, firsts.size() + 1));
    ASSERT_OK(firsts.back().status);
    const uint64_t count = random.Uniform(4);
    for (uint64_t i = 0; i < count; ++i) steps[random.Uniform(5)]();
    for (size_t i = 0; i < firsts.size(); ++i) {
      const UpdateResult repeat = Count(1, i + 1);
      ASSERT_OK(repeat.status);
      ASSERT_EQ(repeat.range, firsts[i].range) << "round " << round;
      ASSERT_EQ(repeat.commit_timestamp, firsts[i].commit_timestamp);
    }
    ASSERT_EQ(Now(), round + 1);
  }
}

// Each way in which a nonce once got lost.
TEST_P(NonceTest, FlushedAndReopenedTwiceItIsStillKnown) {
  ASSERT_OK(Count(1, 7).status);
  host_.ReopenRegion();
  ASSERT_OK(Count(1, 7).status);
  ASSERT_OK(Count(1, 8).status);
  ASSERT_OK(region().Flush());
  for (int i = 0; i < 2; ++i) {
    host_.Reopen();
    ASSERT_OK(Count(1, 8).status);
  }
  ASSERT_OK(Count(1, 9).status);
  ASSERT_OK(region().Flush());
  for (int i = 0; i < 3; ++i) {
    Crash();  // The next open writes a new log, with nothing in it.
    ASSERT_OK(Count(1, 9).status);
  }
  EXPECT_EQ(Now(), 3);
}

TEST_P(NonceTest, RacingRepeatsAreAppliedOnceWhileFlushesAndReopensGoOn) {
  constexpr int kThreads = 4;
  constexpr uint64_t kNonces = 40;
  for (uint64_t round = 0; round < 3; ++round) {
    std::vector<std::vector<int64_t>> by_thread(kThreads,
                                                std::vector<int64_t>(kNonces));
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (uint64_t n = 0; n < kNonces; ++n) {
          const UpdateResult result = Count(1, round * kNonces + n + 1);
          ASSERT_OK(result.status);
          ASSERT_EQ(result.row.cells.size(), 1);
          by_thread[t][n] = *Value(result.row);
        }
      });
    }
    for (int i = 0; i < 5; ++i) {
      ASSERT_OK(region().Flush());
    }
    for (std::thread& thread : threads) thread.join();
    std::set<int64_t> values;
    for (uint64_t n = 0; n < kNonces; ++n) {
      for (int t = 1; t < kThreads; ++t) {
        ASSERT_EQ(by_thread[t][n], by_thread[0][n]) << "nonce " << n;
      }
      values.insert(by_thread[0][n]);
    }
    EXPECT_EQ(values.size(), kNonces);
    EXPECT_EQ(Now(), (round + 1) * kNonces);
    if (round == 0) host_.ReopenRegion();
    if (round == 1) Crash();
    for (uint64_t n = 1; n <= (round + 1) * kNonces; ++n) {
      ASSERT_OK(Count(1, n).status);
    }
    EXPECT_EQ(Now(), (round + 1) * kNonces);
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, NonceTest,
                         testing::ValuesIn(IncrementFailureCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
