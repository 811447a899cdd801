// What row locks cost, free and contended. The interesting pair: one hot row
// with callers that are carried on by whoever gives the row back, and with
// callers that park until it is theirs.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "benchmark/benchmark.h"
#include "shale/base/clock.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/locking/row_lock_table.h"

namespace shale {
namespace {

RowLockTable& Table() {
  static ThreadPoolExecutor* const executor =
      new ThreadPoolExecutor(1, RealClock());
  static RowLockTable* const table =
      new RowLockTable(RowLockOptions(), RealClock(), *executor);
  return *table;
}

// Stands for the memory work of one write.
void Work() {
  for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(i);
}

void BM_FreeRows(benchmark::State& state) {
  RowLockTable& table = Table();
  std::vector<std::string> names;
  for (int64_t i = 0; i < state.range(0); ++i) {
    names.push_back(absl::StrCat("thread", state.thread_index(), "-row", i));
  }
  const std::vector<absl::string_view> rows(names.begin(), names.end());
  for (auto _ : state) {
    RowLocks held;
    table.Acquire(
        rows, LockMode::kExclusive, table.NewOwner(), absl::InfiniteDuration(),
        [&held](absl::StatusOr<RowLocks> locks) { held = *std::move(locks); });
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_FreeRows)->Arg(1)->Arg(10)->Arg(1000)->Threads(1)->Threads(2);

// As a region does it: a caller waits for the end of many writes at once, since
// they share a sync.
void BM_HotRowCarriedOn(benchmark::State& state) {
  constexpr int kGroup = 64;
  RowLockTable& table = Table();
  const absl::string_view row = "hot";
  for (auto _ : state) {
    absl::BlockingCounter group(kGroup);
    for (int i = 0; i < kGroup; ++i) {
      table.Acquire({&row, 1}, LockMode::kExclusive, table.NewOwner(),
                    absl::InfiniteDuration(),
                    [&group](absl::StatusOr<RowLocks> locks) {
                      Work();
                      locks->Release();
                      group.DecrementCount();
                    });
    }
    group.Wait();
  }
  state.SetItemsProcessed(state.iterations() * kGroup);
}
BENCHMARK(BM_HotRowCarriedOn)->ThreadRange(1, 32)->UseRealTime();

void BM_HotRowParked(benchmark::State& state) {
  RowLockTable& table = Table();
  const absl::string_view row = "hot";
  for (auto _ : state) {
    absl::StatusOr<RowLocks> locks =
        table.AcquireAndWait({&row, 1}, LockMode::kExclusive, table.NewOwner(),
                             absl::InfiniteDuration());
    Work();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HotRowParked)->ThreadRange(1, 32)->UseRealTime();

// The floor.
void BM_HotMutex(benchmark::State& state) {
  static absl::Mutex* const mu = new absl::Mutex;
  for (auto _ : state) {
    absl::MutexLock lock(mu);
    Work();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HotMutex)->ThreadRange(1, 32)->UseRealTime();

}  // namespace
}  // namespace shale
