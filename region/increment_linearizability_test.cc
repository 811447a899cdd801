// Small random histories of one counter by several threads, and whether each
// could have happened in one thread.
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

  void Do(const std::string& row, CounterOperation& operation) {
    operation.called = ++events_;
    switch (operation.kind) {
      case Kind::kIncrement:
        Count(row, operation);
        break;
      case Kind::kPut:
        SHALE_CHECK_OK(host_.region().Apply(
            RowMutation(row).Put("f", "q", Bytes(operation.argument))));
        break;
      case Kind::kDelete:
        SHALE_CHECK_OK(
            host_.region().Apply(RowMutation(row).DeleteColumn("f", "q")));
        break;
      case Kind::kCheckAndPut:
        PutIf(row, operation);
        break;
      case Kind::kRead:
        Read(row, operation);
        break;
    }
    operation.returned = ++events_;
  }

  void Count(const std::string& row, CounterOperation& operation) {
    const UpdateResult result = host_.region().Increment(
        Increment(row).Add("f", "q", operation.argument));
    SHALE_CHECK_OK(result.status);
    operation.result = Counter(result.row);
    // Nothing was there, and by 0 nothing is made.
    if (operation.argument == 0) operation.kind = Kind::kRead;
  }

  void PutIf(const std::string& row, CounterOperation& operation) {
    CheckAndMutate check(
        row, RowMutation(row).Put("f", "q", Bytes(operation.argument)));
    if (operation.expected.has_value()) {
      check.IfEquals("f", "q", Bytes(*operation.expected));
    } else {
      check.IfNotExists("f", "q");
    }
    const UpdateResult result = host_.region().CheckAndMutate(check);
    SHALE_CHECK_OK(result.status);
    operation.result = result.matched ? 1 : 0;
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
  TestHost host_{TestHost::Schema(), {}, GetParam().options};
};

TEST_P(IncrementLinearizabilityTest, EveryHistoryHasAnOrder) {
  const uint64_t seed = TestSeed();
  // Each history has a row of its own; a thread goes through all of them, so
  // that they meet without a barrier for each.
  std::vector<std::vector<CounterOperation>> histories(kHistories);
  std::vector<std::thread> threads;
  for (auto& history : histories) history.resize(kThreads * kOperations);
  std::atomic<int> round[kHistories] = {};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(seed + static_cast<uint64_t>(t));
      for (int h = 0; h < kHistories; ++h) {
        // They begin together, as far as that goes.
        ++round[h];
        while (round[h] < kThreads) std::this_thread::yield();
        for (int i = 0; i < kOperations; ++i) {
          CounterOperation& operation = histories[h][t * kOperations + i];
          operation = RandomOperation(random);
          Do(absl::StrCat("row", h), operation);
        }
        if (t == 0 && h % 100 == 50) {
          SHALE_CHECK_OK(host_.region().Flush());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int h = 0; h < kHistories; ++h) {
    ASSERT_TRUE(IsLinearizable(histories[h]))
        << "history " << h << ":\n"
        << absl::StrJoin(histories[h], "\n",
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
