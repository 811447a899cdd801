// Small random histories of one counter by several threads, and whether each
// could have happened in one thread.
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/linearizability_checker.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using Kind = CounterOperation::Kind;

constexpr int kHistories = 400;
constexpr int kThreads = 3;
constexpr int kOperations = 5;  // Of each thread.

std::string Bytes(int64_t counter) {
  std::string bytes;
  PutBigEndian64(&bytes, static_cast<uint64_t>(counter));
  return bytes;
}

std::optional<int64_t> Counter(const RowResult& row) {
  const std::optional<absl::string_view> value = row.Value("f", "q");
  if (!value.has_value()) return std::nullopt;
  return static_cast<int64_t>(DecodeBigEndian64(value->data()));
}

class IncrementLinearizabilityTest
    : public testing::TestWithParam<IncrementCombination> {
 protected:
  // Narrow answers before what it wrote is visible: it is consistent among
  // reads that see that too.
  static bool answers_when_visible() {
    return !GetParam()
                .options.components.increment()
                ->holds_rows_until_durable();
  }

  CounterOperation RandomOperation(Random& random) {
    CounterOperation operation;
    const Kind kinds[] = {Kind::kIncrement, Kind::kIncrement,   Kind::kPut,
                          Kind::kDelete,    Kind::kCheckAndPut, Kind::kRead};
    operation.kind = kinds[random.Uniform(std::size(kinds))];
    // An increment by 0 reads.
    operation.argument = static_cast<int64_t>(random.Uniform(4));
    if (random.Uniform(2) == 0) {
      operation.expected = static_cast<int64_t>(random.Uniform(4));
    }
    return operation;
  }

  // False if nothing has happened.
  bool Do(const std::string& row, CounterOperation& operation, Random& random) {
    operation.called = ++events_;
    bool happened = true;
    if (operation.kind == Kind::kRead) {
      Read(row, operation);
    } else {
      happened = Write(row, operation, random);
    }
    operation.returned = ++events_;
    return happened;
  }

  static MutationBatch BatchOf(const std::string& row,
                               const CounterOperation& operation) {
    RowMutation put(row);
    put.Put("f", "q", Bytes(operation.argument));
    MutationBatch batch;
    switch (operation.kind) {
      case Kind::kPut:
        batch.mutations.push_back(put);
        return batch;
      case Kind::kDelete:
        batch.mutations.push_back(RowMutation(row).DeleteColumn("f", "q"));
        return batch;
      case Kind::kCheckAndPut: {
        CheckAndMutate check(row, put);
        if (operation.expected.has_value()) {
          check.IfEquals("f", "q", Bytes(*operation.expected));
        } else {
          check.IfNotExists("f", "q");
        }
        return check.TakeBatch();
      }
      default:
        return Increment(row).Add("f", "q", operation.argument).TakeBatch();
    }
  }

  // At any level, often with too little time; what isn't confirmed then is sent
  // again or left unknown.
  bool Write(const std::string& row, CounterOperation& operation,
             Random& random) {
    const Durability levels[] = {Durability::kSkipWal, Durability::kAsyncWal,
                                 Durability::kSyncWal, Durability::kFsyncWal};
    MutationBatch batch = BatchOf(row, operation);
    batch.durability = levels[random.Uniform(4)];
    batch.want_results = true;
    batch.nonce = {1, ++nonces_};
    if (random.OneIn(2)) {
      batch.timeout =
          absl::Microseconds(static_cast<int64_t>(random.Uniform(300)));
    }
    ApplyResult result = host_.region().Apply(batch);
    if (absl::IsUnknown(result.status())) {
      ++unconfirmed_;
      operation.unknown = random.OneIn(2);
      if (operation.unknown) return true;
      batch.timeout = absl::Minutes(10);
      result = host_.region().Apply(batch);
      SHALE_CHECK_OK(result.status());
    }
    if (!result.status().ok()) return false;
    if (operation.kind == Kind::kCheckAndPut) {
      operation.result = result.matched ? 1 : 0;
    } else if (operation.kind == Kind::kIncrement) {
      operation.result = Counter(result.rows[0]);
      // Nothing was there, and by 0 nothing is made.
      if (operation.argument == 0) operation.kind = Kind::kRead;
    }
    return true;
  }

  void Read(const std::string& row, CounterOperation& operation) {
    Get get{row, {}};
    if (!answers_when_visible()) {
      get.options.isolation = IsolationLevel::kReadUncommitted;
    }
    const absl::StatusOr<RowResult> result = host_.region().Read(get);
    SHALE_CHECK_OK(result);
    operation.result = Counter(*result);
  }

  std::atomic<int64_t> events_ = 0;  // Sequentially consistent: one order.
  std::atomic<uint64_t> nonces_ = 0;
  std::atomic<int> unconfirmed_ = 0;
  TestHost host_{TestHost::Schema(), {}, GetParam().options};
};

TEST_P(IncrementLinearizabilityTest, EveryHistoryHasAnOrder) {
  const uint64_t seed = TestSeed();
  // Each history has a row of its own; a thread goes through all of them, so
  // that they meet without a barrier for each.
  std::vector<std::vector<CounterOperation>> histories(kHistories * kThreads);
  std::vector<std::thread> threads;
  std::atomic<int> round[kHistories] = {};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(seed + static_cast<uint64_t>(t));
      for (int h = 0; h < kHistories; ++h) {
        // They begin together, as far as that goes.
        ++round[h];
        while (round[h] < kThreads) std::this_thread::yield();
        for (int i = 0; i < kOperations; ++i) {
          CounterOperation operation = RandomOperation(random);
          if (Do(absl::StrCat("row", h), operation, random)) {
            histories[h * kThreads + t].push_back(operation);
          }
        }
        if (t == 0 && h % 100 == 50) {
          SHALE_CHECK_OK(host_.region().Flush());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(unconfirmed_, 0);
  for (int h = 0; h < kHistories; ++h) {
    std::vector<CounterOperation> history;
    for (int t = 0; t < kThreads; ++t) {
      const auto& of_thread = histories[h * kThreads + t];
      history.insert(history.end(), of_thread.begin(), of_thread.end());
    }
    ASSERT_TRUE(IsLinearizable(history))
        << "history " << h << ":\n"
        << absl::StrJoin(history, "\n",
                         [](std::string* out, const CounterOperation& o) {
                           *out += o.ToString();
                         });
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementLinearizabilityTest,
                         testing::ValuesIn(IncrementMvccCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
