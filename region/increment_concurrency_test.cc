// Many threads that count, by every variant of --//region:increment with each
// variant of the seams that it works with.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/counters.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/pending_update.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 40;

int64_t Counter(const RowResult& row, absl::string_view family,
                absl::string_view qualifier) {
  return CounterOf(row, family, qualifier).value_or(0);
}

void RunThreads(absl::FunctionRef<void(int)> body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

// Of this process.
ptrdiff_t Threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

class IncrementConcurrencyTest
    : public testing::TestWithParam<IncrementCombination> {
 protected:
  Region& region() { return host_.region(); }
  bool is_narrow() const { return GetParam().increment == "narrow"; }
  RowResult Row(absl::string_view row) {
    Get get{std::string(row), {}};
    if (is_narrow()) get.options.isolation = IsolationLevel::kReadUncommitted;
    const absl::StatusOr<RowResult> result = region().Read(get);
    EXPECT_OK(result);
    return *result;
  }

  TestHost host_{TestHost::Schema(), {}, GetParam().options};
};

// HBASE-16768, HBASE-16801: results were wrong, or another's, under load.
// HBASE-6195: increments were lost during a flush.
TEST_P(IncrementConcurrencyTest, ResultsAreAPermutationThroughFlushes) {
  std::vector<std::vector<int64_t>> results(kThreads);
  RunThreads([&](int t) {
    for (int i = 0; i < kRounds; ++i) {
      const UpdateResult result =
          region().Increment(Increment("r").Add("f", "q", 1));
      ASSERT_OK(result.status);
      results[t].push_back(Counter(result.row, "f", "q"));
      if (t == 0 && i % 10 == 5) {
        ASSERT_OK(region().Flush());
      }
      if (t == 1 && i % 20 == 15) {
        ASSERT_OK(region().Compact());
      }
    }
  });
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& of_thread : results) {
    EXPECT_TRUE(std::is_sorted(of_thread.begin(), of_thread.end()));
    all.insert(all.end(), of_thread.begin(), of_thread.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<int64_t> want(kThreads * kRounds);
  std::iota(want.begin(), want.end(), 1);
  EXPECT_EQ(all, want);
  host_.Reopen();
  EXPECT_EQ(Counter(Row("r"), "f", "q"), kThreads * kRounds);
}

// However many wait for the log, no thread does.
TEST_P(IncrementConcurrencyTest, CallbacksServeManyWithFewThreads) {
  constexpr size_t kOperations = 1000;
  constexpr size_t kRows = 50;
  ThreadPoolExecutor executor(2, RealClock());
  MemoryFileSystem memory(executor);
  FaultyFileSystem files(memory, executor);
  TestHost host(files, TestHost::Schema(), {}, GetParam().options);
  ASSERT_OK(host.Open());
  ASSERT_OK(host.region().Apply(RowMutation("other").Put("f", "q", "v")));
  const ptrdiff_t threads = Threads();
  files.faults().Inject({.op = FileOp::kSync,
                         .name = "host/wal/*",
                         .times = FaultRule::kAlways,
                         .fault = {.effect = Fault::Effect::kHeld}});
  std::deque<PendingUpdate> pending(kOperations);
  for (size_t i = 0; i < kOperations; ++i) {
    host.region().IncrementAsync(
        Increment(absl::StrCat(i % kRows)).Add("f", "q", 1),
        pending[i].callback());
  }
  files.faults().AwaitHeld(1);
  EXPECT_EQ(Threads(), threads);
  EXPECT_TRUE(absl::c_none_of(
      pending, [](const PendingUpdate& each) { return each.answered(); }));
  files.faults().WithdrawAll();
  files.faults().Release();
  std::vector<std::vector<int64_t>> results(kRows);
  for (size_t i = 0; i < kOperations; ++i) {
    const UpdateResult& result = pending[i].Wait();
    ASSERT_OK(result.status);
    results[i % kRows].push_back(Counter(result.row, "f", "q"));
  }
  std::vector<int64_t> want(kOperations / kRows);
  std::iota(want.begin(), want.end(), 1);
  for (const std::vector<int64_t>& of_row : results) {
    EXPECT_THAT(of_row, testing::UnorderedElementsAreArray(want));
  }
}

// HBASE-21660: a cell got into the memstore of another family.
TEST_P(IncrementConcurrencyTest, ColumnsOfOneOperationStayInStep) {
  std::atomic<int> writers = kThreads - 1;
  RunThreads([&](int t) {
    if (t == 0) {
      while (writers > 0) {
        const RowResult row = *region().Read({"r", {}});
        const int64_t one = Counter(row, "f", "1");
        ASSERT_EQ(Counter(row, "f", "2"), 2 * one);
        ASSERT_EQ(Counter(row, "g", "3"), 3 * one);
      }
      return;
    }
    for (int i = 0; i < kRounds; ++i) {
      const UpdateResult result = region().Increment(Increment("r")
                                                         .Add("g", "3", 3 * t)
                                                         .Add("f", "1", t)
                                                         .Add("f", "2", 2 * t));
      ASSERT_OK(result.status);
      const int64_t one = Counter(result.row, "f", "1");
      ASSERT_EQ(Counter(result.row, "f", "2"), 2 * one);
      ASSERT_EQ(Counter(result.row, "g", "3"), 3 * one);
    }
    --writers;
  });
  EXPECT_EQ(Counter(Row("r"), "f", "1"),
            kRounds * kThreads * (kThreads - 1) / 2);
}

// HBASE-18233, HBASE-17924: batches locked their rows in different orders.
TEST_P(IncrementConcurrencyTest, BatchesOfManyRowsInAnyOrderDoNotDeadlock) {
  constexpr int kRows = 5;
  RunThreads([&](int t) {
    for (int i = 0; i < kRounds / 2; ++i) {
      MutationBatch batch;
      batch.atomic = i % 2 == 0;
      for (int r = 0; r < kRows; ++r) {
        const int row = t % 2 == 0 ? r : kRows - 1 - r;
        batch.mutations.push_back(
            RowMutation(absl::StrCat(row)).Increment("f", "q", 1));
      }
      ASSERT_OK(region().Apply(batch).status());
    }
  });
  for (int r = 0; r < kRows; ++r) {
    EXPECT_EQ(Counter(Row(absl::StrCat(r)), "f", "q"),
              kThreads * (kRounds / 2));
  }
}

// HBASE-7051, HBASE-7077: checks read at a stale read point.
TEST_P(IncrementConcurrencyTest, EachStateHasOneWinner) {
  std::atomic<int> winners[kRounds] = {};
  RunThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      CheckAndMutate check("r",
                           RowMutation("r").Put("f", "q", absl::StrCat(i + 1)));
      if (i == 0) {
        check.IfNotExists("f", "q");
      } else {
        check.IfEquals("f", "q", absl::StrCat(i));
      }
      UpdateResult result;
      do {
        result = region().CheckAndMutate(check);
        ASSERT_OK(result.status);
        if (result.matched) ++winners[i];
        // Once somebody has won, all go on to the next.
      } while (winners[i] == 0);
    }
  });
  for (int i = 0; i < kRounds; ++i) EXPECT_EQ(winners[i], 1) << "state " << i;
}

TEST_P(IncrementConcurrencyTest, AppendsThatOutgrowTheirRoomLoseNothing) {
  RunThreads([&](int t) {
    for (int i = 0; i < kRounds / 4; ++i) {
      ASSERT_OK(region()
                    .Append(Append("r").Add(
                        "f", "q", std::string(300, static_cast<char>('a' + t))))
                    .status);
    }
  });
  const std::string value(*Row("r").Value("f", "q"));
  ASSERT_EQ(value.size(), 300u * kThreads * (kRounds / 4));
  for (size_t i = 0; i < value.size(); ++i) {
    ASSERT_EQ(value[i], value[i / 300 * 300]) << "torn at " << i;
  }
}

TEST_P(IncrementConcurrencyTest, OnlyConsistentWaitsForOtherRows) {
  RunThreads([&](int t) {
    for (int i = 0; i < kRounds; ++i) {
      ASSERT_OK(region()
                    .Increment(Increment(absl::StrCat(t)).Add("f", "q", 1))
                    .status);
    }
  });
  const int64_t waits = region().Stats().increment_barrier_waits;
  if (GetParam().increment == "consistent") {
    EXPECT_GT(waits, 0);
  } else {
    EXPECT_EQ(waits, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementConcurrencyTest,
                         testing::ValuesIn(IncrementCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
