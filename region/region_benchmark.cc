// Durable puts, gets and scans of one region on the machine's own file system,
// in a fresh directory below the working directory or $TEST_TMPDIR.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"

namespace shale {
namespace {

// A region "r" with one family "f", in a directory that goes with it.
class BenchmarkRegion {
 public:
  BenchmarkRegion() {
    const char* const parent = std::getenv("TEST_TMPDIR");
    std::string pattern =
        absl::StrCat(parent != nullptr ? parent : ".", "/region_XXXXXX");
    SHALE_CHECK(mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    auto local = LocalHost::Open(directory_, {});
    SHALE_CHECK_OK(local);
    local_ = *std::move(local);
    RegionSchema schema;
    schema.name = "r";
    schema.families.resize(1);
    schema.families[0].name = "f";
    SHALE_CHECK_OK(local_->host().CreateRegion(schema));
    auto region = local_->host().OpenRegion("r");
    SHALE_CHECK_OK(region);
    region_ = *std::move(region);
  }
  ~BenchmarkRegion() {
    SHALE_CHECK_OK(region_->Close());
    region_.reset();
    local_.reset();
    std::filesystem::remove_all(directory_);
  }

  Region& region() { return *region_; }

 private:
  std::string directory_;
  std::unique_ptr<LocalHost> local_;
  std::unique_ptr<Region> region_;
};

// 20 bytes, spread over the key space.
std::string Row(uint64_t i) {
  return absl::StrFormat("row-%016x", i * 0x9e3779b97f4a7c15);
}

void Put(Region& region, uint64_t i, Durability durability) {
  SHALE_CHECK_OK(region.Apply(
      RowMutation(Row(i)).Put("f", "q", std::string(100, 'v')), durability));
}

// All threads of a benchmark share one region.
void BM_Put(benchmark::State& state, Durability durability) {
  static std::unique_ptr<BenchmarkRegion> shared;
  static std::atomic<uint64_t> next;
  if (state.thread_index() == 0) {
    shared = std::make_unique<BenchmarkRegion>();
  }
  for (auto _ : state) Put(shared->region(), next.fetch_add(1), durability);
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) shared.reset();
}
BENCHMARK_CAPTURE(BM_Put, sync, Durability::kSyncWal)
    ->ThreadRange(1, 32)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Put, async, Durability::kAsyncWal)->UseRealTime();

constexpr uint64_t kRows = 20000;

// Filled once, half of it in a store file and half in memory.
Region& FilledRegion() {
  static BenchmarkRegion filled;
  static const bool once = [] {
    for (uint64_t i = 0; i < kRows; ++i) {
      Put(filled.region(), i, Durability::kAsyncWal);
      if (i == kRows / 2) {
        SHALE_CHECK_OK(filled.region().Flush());
      }
    }
    return true;
  }();
  static_cast<void>(once);
  return filled.region();
}

void BM_Get(benchmark::State& state) {
  Region& region = FilledRegion();
  uint64_t i = 0;
  for (auto _ : state) {
    Get get;
    get.row = Row(i++ % kRows);
    const absl::StatusOr<RowResult> row = region.Read(get);
    SHALE_CHECK(row.ok() && !row->empty());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Get);

void BM_Scan(benchmark::State& state) {
  Region& region = FilledRegion();
  int64_t rows = 0;
  for (auto _ : state) {
    auto scanner = region.NewScanner({});
    SHALE_CHECK_OK(scanner);
    for (;;) {
      const absl::StatusOr<std::optional<RowResult>> row = (*scanner)->Next();
      SHALE_CHECK_OK(row);
      if (!row->has_value()) break;
      ++rows;
    }
  }
  state.SetItemsProcessed(rows);
}
BENCHMARK(BM_Scan);

}  // namespace
}  // namespace shale
