// Small random histories of one row by several threads, and whether each could
// have happened in one thread.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
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

using Kind = RowOperation::Kind;

constexpr size_t kThreads = 3;
constexpr size_t kOperations = 5;  // Of each thread.

std::string Bytes(int64_t counter) {
  std::string bytes;
  PutBigEndian64(&bytes, static_cast<uint64_t>(counter));
  return bytes;
}

bool Overlap(const RowOperation& a, const RowOperation& b) {
  return a.called < b.returned && b.called < a.returned;
}

class IncrementLinearizabilityTest
    : public testing::TestWithParam<IncrementCombination> {
 protected:
  // Each write may wait for the clock's next tick.
  static bool waits_for_ticks() {
    return absl::EndsWith(GetParam().name, "_tick");
  }
  // Most of what is shipped; few of what is slow.
  static size_t histories() {
    if (GetParam().name == kShippedIncrementCombination) return 1000;
    return waits_for_ticks() ? 40 : 150;
  }

  // Narrow answers before what it wrote is visible: it is consistent among
  // reads that see that too, which of two columns don't tell one moment.
  static bool answers_when_visible() {
    return !GetParam()
                .options.components.increment()
                ->holds_rows_until_durable();
  }

  RowOperation RandomOperation(Random& random) {
    RowOperation operation;
    const Kind kinds[] = {Kind::kIncrement, Kind::kIncrement, Kind::kAppend,
                          Kind::kPut,       Kind::kDelete,    Kind::kRead};
    operation.kind = kinds[random.Uniform(std::size(kinds))];
    if (operation.kind == Kind::kRead) {
      if (!answers_when_visible()) operation.kind = Kind::kReadCount;
      return operation;
    }
    operation.argument = static_cast<int64_t>(random.Uniform(4));
    operation.checked = random.OneIn(3);
    if (operation.checked && random.OneIn(2)) {
      operation.expected = static_cast<int64_t>(random.Uniform(4));
    }
    return operation;
  }

  // False if nothing has happened.
  bool Do(const std::string& row, RowOperation& operation, Random& random) {
    operation.called = ++events_;
    bool happened = true;
    if (operation.kind == Kind::kRead || operation.kind == Kind::kReadCount) {
      Read(row, operation);
    } else {
      happened = Write(row, operation, random);
    }
    operation.returned = ++events_;
    return happened;
  }

  static RowMutation MutationOf(const std::string& row,
                                const RowOperation& operation) {
    RowMutation mutation(row);
    switch (operation.kind) {
      case Kind::kPut:
        return mutation.Put("f", "q", Bytes(operation.argument));
      case Kind::kDelete:
        return mutation.DeleteColumn("f", "q").DeleteColumn("f", "t");
      case Kind::kAppend:
        return mutation.Append("f", "t", absl::StrCat(operation.argument));
      default:
        return mutation.Increment("f", "q", operation.argument);
    }
  }

  static MutationBatch BatchOf(const std::string& row,
                               const RowOperation& operation) {
    MutationBatch batch;
    if (!operation.checked) {
      batch.mutations.push_back(MutationOf(row, operation));
      return batch;
    }
    CheckAndMutate check(row, MutationOf(row, operation));
    if (operation.expected.has_value()) {
      check.IfEquals("f", "q", Bytes(*operation.expected));
    } else {
      check.IfNotExists("f", "q");
    }
    return check.TakeBatch();
  }

  // Notes what `row` tells, of the counter and of the text.
  static void Told(const RowResult& row, RowOperation& operation) {
    if (const auto count = row.Value("f", "q"); count.has_value()) {
      operation.count = static_cast<int64_t>(DecodeBigEndian64(count->data()));
    }
    operation.text = std::string(row.Value("f", "t").value_or(""));
  }

  // At any level, often with too little time; what isn't confirmed then is sent
  // again or left unknown.
  bool Write(const std::string& row, RowOperation& operation, Random& random) {
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
    operation.matched = result.matched;
    if (result.matched) Told(result.rows[0], operation);
    return true;
  }

  void Read(const std::string& row, RowOperation& operation) {
    Get get{row, {}};
    if (!answers_when_visible()) {
      get.options.isolation = IsolationLevel::kReadUncommitted;
    }
    const absl::StatusOr<RowResult> result = host_.region().Read(get);
    SHALE_CHECK_OK(result);
    Told(*result, operation);
  }

  // Of history `h` those of thread `t`, in their order.
  std::vector<RowOperation> Operations(size_t h, size_t t, Random& random) {
    std::vector<RowOperation> done;
    for (size_t i = 0; i < kOperations; ++i) {
      RowOperation operation = RandomOperation(random);
      if (Do(absl::StrCat("row", h), operation, random)) {
        done.push_back(std::move(operation));
      }
      // Amid the others' operations, each thread at a time of its own.
      if ((h * kOperations + i) % 200 == 50 * t + 17) {
        SHALE_CHECK_OK(host_.region().Flush());
      }
    }
    return done;
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
  std::vector<std::array<std::vector<RowOperation>, kThreads>> histories(
      this->histories());
  std::vector<std::atomic<size_t>> arrived(histories.size());
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(seed + t);
      for (size_t h = 0; h < histories.size(); ++h) {
        // They begin together, as far as that goes.
        ++arrived[h];
        while (arrived[h] < kThreads) std::this_thread::yield();
        histories[h][t] = Operations(h, t, random);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // A deadline passes while waiting for a tick rather than for the log.
  EXPECT_TRUE(waits_for_ticks() || unconfirmed_ > 0);
  int overlapping = 0;
  for (size_t h = 0; h < histories.size(); ++h) {
    std::vector<RowOperation> history;
    for (const std::vector<RowOperation>& more : histories[h]) {
      for (const RowOperation& operation : more) {
        overlapping += absl::c_count_if(history, [&](const RowOperation& o) {
          return Overlap(o, operation);
        });
      }
      history.insert(history.end(), more.begin(), more.end());
    }
    ASSERT_TRUE(IsLinearizable(history))
        << "history " << h << ":\n"
        << absl::StrJoin(history, "\n",
                         [](std::string* out, const RowOperation& o) {
                           *out += o.ToString();
                         });
  }
  EXPECT_GT(overlapping, 0);
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementLinearizabilityTest,
                         testing::ValuesIn(IncrementCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
