// Durable appends to a file system in memory, by writers at one time: what the
// log itself costs, without a device. Items are entries.
#include <string>

#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/testing/log_harness.h"
#include "shale/wal/wal_variants.h"

namespace shale {
namespace {

void AppendAndSync(benchmark::State& state, const WalVariant& variant) {
  static LogHarness* log = nullptr;  // Shared by the benchmark's threads.
  if (state.thread_index() == 0) {
    log = new LogHarness(variant);
    SHALE_CHECK_OK(log->Open());
  }
  const std::string payload(static_cast<size_t>(state.range(0)), 'x');
  // Without families it pins nothing, so that old segments go.
  const LogEntry entry = TestEntry(payload, /*region=*/1, /*families=*/0);
  for (auto _ : state) {
    const auto position = log->Append(entry);
    SHALE_CHECK_OK(position);
    SHALE_CHECK_OK(log->Sync(*position));
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) {
    SHALE_CHECK_OK(log->Close());
    delete log;
  }
}

const int kRegistered = [] {
  for (const WalVariant& variant : WalVariants()) {
    benchmark::RegisterBenchmark(
        variant.name,
        [&variant](benchmark::State& state) { AppendAndSync(state, variant); })
        ->Arg(557)
        ->ThreadRange(1, 32)
        ->UseRealTime();
  }
  return 0;
}();

}  // namespace
}  // namespace shale
