// What a write costs in each variant, and what many parked threads cost.

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/mvcc_variants.h"

namespace shale {
namespace {

// A log whose entries take a byte each. Up to four syncs are under way at a
// time, 350 us each; one begins as soon as there is something to sync, and
// covers all that was appended by then.
class ModelledLog {
 public:
  explicit ModelledLog(Mvcc& mvcc) : mvcc_(mvcc) {
    for (int i = 0; i < 4; ++i) {
      syncers_.emplace_back([this] { SyncUntilClosed(); });
    }
  }
  ~ModelledLog() {
    {
      absl::MutexLock lock(&mu_);
      closed_ = true;
    }
    for (std::thread& syncer : syncers_) syncer.join();
  }

  // Called in Begin: under the lock of mvcc_.
  Appended Append() {
    absl::MutexLock lock(&mu_);
    return {{++appended_}};
  }

 private:
  void SyncUntilClosed() {
    while (true) {
      uint64_t position;
      {
        absl::MutexLock lock(&mu_);
        mu_.Await(absl::Condition(this, &ModelledLog::HasWork));
        if (closed_) return;
        position = syncing_ = appended_;
      }
      RealClock().SleepUntil(RealClock().Monotonic() + absl::Microseconds(350));
      mvcc_.MarkDurable({position});
    }
  }
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mu_) {
    return closed_ || syncing_ < appended_;
  }

  Mvcc& mvcc_;
  absl::Mutex mu_;
  uint64_t appended_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t syncing_ ABSL_GUARDED_BY(mu_) = 0;  // A sync up to here has begun.
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::thread> syncers_;
};

WriteRange Write(Mvcc& mvcc, absl::FunctionRef<Appended()> append) {
  mvcc.Reserve([] {});
  const absl::StatusOr<BeginResult> begun =
      mvcc.Begin(1, [append](WriteRange) { return append(); });
  SHALE_CHECK(begun.ok());
  mvcc.MarkInserted(begun->range);
  return begun->range;
}

int64_t ContextSwitches() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

// One thread, which never waits: begin, insert, sync.
void BM_LoneWrite(benchmark::State& state, const MvccVariant& variant) {
  const std::unique_ptr<Mvcc> mvcc = variant.create({}, RealClock());
  uint64_t position = 0;
  for (auto _ : state) {
    const WriteRange range =
        Write(*mvcc, [&position] { return Appended{{++position}}; });
    mvcc->MarkDurable({position});
    benchmark::DoNotOptimize(mvcc->WaitVisible(range));
  }
  state.SetItemsProcessed(state.iterations());
}

// Threads that each write, park until that is durable and visible, and write
// again. An iteration is a round of that many writes of each.
void BM_ParkedWriters(benchmark::State& state, const MvccVariant& variant) {
  constexpr int kWritesEach = 20;
  const auto threads = static_cast<int>(state.range(0));
  const std::unique_ptr<Mvcc> mvcc = variant.create({}, RealClock());
  ModelledLog log(*mvcc);
  const int64_t switches_before = ContextSwitches();
  for (auto _ : state) {
    std::vector<std::thread> writers;
    for (int t = 0; t < threads; ++t) {
      writers.emplace_back([&] {
        for (int i = 0; i < kWritesEach; ++i) {
          const WriteRange range = Write(*mvcc, [&] { return log.Append(); });
          SHALE_CHECK(mvcc->WaitVisible(range));
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
  }
  const auto writes =
      static_cast<double>(state.iterations() * threads * kWritesEach);
  const MvccStats stats = mvcc->stats();
  state.SetItemsProcessed(static_cast<int64_t>(writes));
  state.counters["waits/op"] = static_cast<double>(stats.waits) / writes;
  state.counters["wakes/op"] = static_cast<double>(stats.wakes) / writes;
  state.counters["advances/op"] = static_cast<double>(stats.advances) / writes;
  state.counters["switches/op"] =
      static_cast<double>(ContextSwitches() - switches_before) / writes;
}

const bool kRegistered = [] {
  for (const MvccVariant& variant : MvccVariants()) {
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_LoneWrite/", variant.name).c_str(), BM_LoneWrite,
        variant);
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_ParkedWriters/", variant.name).c_str(),
        BM_ParkedWriters, variant)
        ->Arg(1)
        ->Arg(8)
        ->Arg(32)
        ->Arg(96)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace shale
