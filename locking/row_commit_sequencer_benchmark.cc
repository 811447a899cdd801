// What a timestamp costs in each variant. Where no commit meets a row of
// another, `tick` and `monotonic` may cost 150 ns a row more than `off`, and
// nothing yields; on one row `tick` has a commit a tick, and the others don't
// wait.

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/notification.h"
#include "benchmark/benchmark.h"
#include "shale/base/clock.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/timestamp.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer_variants.h"

namespace shale {
namespace {

// Row keys of 24 bytes that are new each time, at the price of one store.
class FreshRows {
 public:
  explicit FreshRows(int64_t count) {
    static std::atomic<uint64_t> instances{0};
    const uint64_t instance = ++instances;
    for (int64_t i = 0; i < count; ++i) {
      std::string& row = rows_.emplace_back("user-row");
      row.resize(24);
      std::memcpy(&row[8], &instance, sizeof(instance));
    }
    views_.assign(rows_.begin(), rows_.end());
  }

  const std::vector<absl::string_view>& Next() {
    for (std::string& row : rows_) {
      ++number_;
      std::memcpy(&row[16], &number_, sizeof(number_));
    }
    return views_;
  }

 private:
  std::vector<std::string> rows_;
  std::vector<absl::string_view> views_;
  uint64_t number_ = 0;
};

Executor& SharedExecutor() {
  static Executor* const executor = new ThreadPoolExecutor(1, RealClock());
  return *executor;
}

void CountYields(benchmark::State& state, const RowCommitSequencer& sequencer,
                 int64_t before) {
  if (state.thread_index() != 0) return;
  state.counters["yields"] =
      static_cast<double>(sequencer.stats().yields - before);
}

void BM_DisjointRows(benchmark::State& state, RowCommitSequencer& sequencer) {
  FreshRows rows(state.range(0));
  const int64_t yields = sequencer.stats().yields;
  Timestamp sum = 0;
  for (auto _ : state) {
    sequencer.Assign(rows.Next(), [&sum](Timestamp t) { sum += t; });
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  CountYields(state, sequencer, yields);
}

void BM_OneRow(benchmark::State& state, RowCommitSequencer& sequencer) {
  const int64_t yields = sequencer.stats().yields;
  const absl::string_view row = "hot";
  for (auto _ : state) {
    absl::Notification assigned;
    sequencer.Assign({&row, 1}, [&assigned](Timestamp) { assigned.Notify(); });
    assigned.WaitForNotification();
  }
  state.SetItemsProcessed(state.iterations());
  CountYields(state, sequencer, yields);
}

// Before main(), which google-benchmark brings along.
const bool registered = [] {
  for (const RowCommitSequencerVariant& variant :
       RowCommitSequencerVariants()) {
    RowCommitSequencer& sequencer =
        *variant.create(RealClock(), SharedExecutor()).release();
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_DisjointRows/", variant.name).c_str(),
        [&sequencer](benchmark::State& state) {
          BM_DisjointRows(state, sequencer);
        })
        ->Arg(1)
        ->Arg(10)
        ->Arg(100)
        ->Arg(1000)
        ->Threads(1)
        ->Threads(2)
        ->UseRealTime();
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_OneRow/", variant.name).c_str(),
        [&sequencer](benchmark::State& state) { BM_OneRow(state, sequencer); })
        ->UseRealTime();
  }
  return true;
}();

}  // namespace
}  // namespace shale
