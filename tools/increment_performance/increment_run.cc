#include "shale/tools/increment_performance/increment_run.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/region/column_family.h"
#include "shale/region/increment.h"
#include "shale/region/read_request.h"
#include "shale/region/region.h"
#include "shale/region/update_result.h"
#include "shale/tools/benchmark/benchmark_region.h"
#include "shale/tools/benchmark/run_threads.h"
#include "shale/tools/increment_performance/acknowledged.h"

namespace shale {
namespace {

constexpr absl::string_view kQualifier = "q";

// Four bytes, as the original's.
std::string RowKey(int64_t row) {
  std::string bytes;
  PutBigEndian64(&bytes, static_cast<uint64_t>(row));
  return bytes.substr(4);
}

// DATA_LOSS if the row's column is there and no counter.
absl::StatusOr<int64_t> CounterIn(const RowResult& row,
                                  const std::string& family) {
  const std::optional<absl::string_view> value = row.Value(family, kQualifier);
  if (!value.has_value()) return 0;
  if (value->size() != sizeof(int64_t)) {
    return absl::DataLossError(
        absl::StrCat("a counter has ", value->size(), " bytes, want 8"));
  }
  return static_cast<int64_t>(DecodeBigEndian64(value->data()));
}

void IncrementRows(Region& region, const IncrementLoad& load, RowSequence rows,
                   Worker& worker, std::vector<Acknowledged>& answers) {
  const bool endless = load.time_limit != absl::InfiniteDuration();
  if (!endless) answers.reserve(load.increments);
  for (int64_t i = 0; (endless || i < load.increments) && worker.MayGoOn();
       ++i) {
    Acknowledged answer;
    answer.row = rows.Next();
    Increment increment(RowKey(answer.row));
    increment.Add(load.family, kQualifier, 1);
    UpdateResult result;
    absl::Status status = worker.Measure([&] {
      result = region.Increment(std::move(increment));
      return result.status;
    });
    if (!status.ok()) return;  // The run's status has it.
    const absl::StatusOr<int64_t> sum = CounterIn(result.row, load.family);
    // An answer without the sum is wrong, and is found to be so.
    answer.sum = sum.value_or(0);
    answers.push_back(answer);
  }
}

// A write that is visible only after all writes before it: `narrow`
// acknowledges increments that are not visible yet.
absl::Status AwaitVisible(Region& region, const IncrementLoad& load) {
  return region.Apply(RowMutation("after all").Put(load.family, "q", ""));
}

absl::StatusOr<std::vector<int64_t>> ReadCounters(Region& region,
                                                  const IncrementLoad& load,
                                                  int64_t rows) {
  SHALE_RETURN_IF_ERROR(AwaitVisible(region, load));
  std::vector<int64_t> counters;
  for (int64_t row = 0; row < rows; ++row) {
    Get get;
    get.row = RowKey(row);
    SHALE_ASSIGN_OR_RETURN(const RowResult result, region.Read(get));
    SHALE_ASSIGN_OR_RETURN(const int64_t counter,
                           CounterIn(result, load.family));
    counters.push_back(counter);
  }
  return counters;
}

RegionSchema Schema(const IncrementLoad& load) {
  RegionSchema schema;
  schema.name = load.table;
  schema.families.resize(1);
  schema.families[0].name = load.family;
  return schema;
}

}  // namespace

absl::StatusOr<IncrementRun> RunIncrements(
    const IncrementSetting& setting, const IncrementLoad& load,
    const RegionComponents& components, uint64_t seed, Clock& clock,
    absl::FunctionRef<void(int64_t)> watch) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Device> device,
                         Device::Open(load.device, clock));
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<BenchmarkRegion> benchmark,
      BenchmarkRegion::Open(*device, clock, components, Schema(load)));
  Region& region = benchmark->region();
  std::vector<std::vector<Acknowledged>> answers(setting.threads);
  IncrementRun run;
  run.measurement = RunThreads(
      {.threads = setting.threads, .time_limit = load.time_limit}, clock,
      [&] { return benchmark->causes(); }, watch,
      [&](Worker& worker) {
        IncrementRows(region, load,
                      RowSequence(setting.rows, seed * 1024 + worker.index()),
                      worker, answers[worker.index()]);
      });
  SHALE_RETURN_IF_ERROR(run.measurement.status);
  SHALE_ASSIGN_OR_RETURN(const std::vector<int64_t> counters,
                         ReadCounters(region, load, setting.rows.rows));
  SHALE_RETURN_IF_ERROR(CheckIncrements(answers, counters));
  return run;
}

}  // namespace shale
