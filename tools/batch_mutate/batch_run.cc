#include "shale/tools/batch_mutate/batch_run.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/status_macros.h"
#include "shale/cell/timestamp.h"
#include "shale/filter/retention_rules.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/read_request.h"
#include "shale/region/region.h"
#include "shale/region/region_components.h"
#include "shale/tools/benchmark/benchmark_region.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/benchmark/run_threads.h"
#include "shale/tools/benchmark/stub_wal.h"

namespace shale {
namespace {

// What one thread remembers.
struct Tally {
  std::vector<int64_t> nanos;
  std::vector<Timestamp> timestamps;
};

RegionSchema Schema() {
  RegionSchema schema;
  schema.name = "r";
  schema.families.resize(1);
  schema.families[0].name = "f";
  // So that reading back finds every commit.
  schema.families[0].retention.max_versions = kAllVersions;
  return schema;
}

// Never flushes by itself: what is measured are commits.
RegionOptions Options() {
  RegionOptions options;
  options.flush_bytes = int64_t{1} << 40;
  return options;
}

std::string RowKey(int64_t row) { return absl::StrFormat("%016x", row); }

// The first row of a thread's nth batch; the others follow it.
int64_t FirstRow(const BatchSetting& setting, int thread, int64_t batch) {
  if (setting.same_rows) return 0;
  return ((int64_t{thread} << 40) + batch) * setting.rows;
}

MutationBatch MakeBatch(const BatchSetting& setting, int thread,
                        int64_t batch) {
  static const std::string* const value = new std::string(100, 'v');
  const int64_t first = FirstRow(setting, thread, batch);
  MutationBatch made;
  made.mutations.reserve(setting.rows);
  for (int64_t row = first; row < first + setting.rows; ++row) {
    made.mutations.push_back(RowMutation(RowKey(row)).Put("f", "q", *value));
  }
  return made;
}

void ApplyBatches(Region& region, const BatchSetting& setting,
                  int64_t operations, Worker& worker, Tally& tally) {
  tally.nanos.reserve(operations);
  tally.timestamps.reserve(operations);
  for (int64_t i = 0; i < operations && worker.MayGoOn(); ++i) {
    MutationBatch batch = MakeBatch(setting, worker.index(), i);
    ApplyResult result;
    const absl::Status status = worker.Measure([&] {
      result = region.Apply(std::move(batch));
      return result.status();
    });
    if (!status.ok()) return;  // The run's status has it.
    tally.nanos.push_back(absl::ToInt64Nanoseconds(worker.last()));
    tally.timestamps.push_back(result.commit_timestamp);
  }
}

// DATA_LOSS if the versions of `row` aren't `timestamps`, newest first.
absl::Status CheckRow(const Region& region, int64_t row,
                      const std::vector<Timestamp>& timestamps) {
  Get get;
  get.row = RowKey(row);
  get.options.max_versions = kAllVersions;
  SHALE_ASSIGN_OR_RETURN(const RowResult result, region.Read(get));
  std::vector<Timestamp> found;
  for (const Cell& cell : result.cells) found.push_back(cell.timestamp);
  if (found == timestamps) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "row ", get.row, ": ", found.size(), " versions are there, ",
      timestamps.size(), " timestamps were acknowledged, and they differ"));
}

// Counts duplicates and reads back the first and last row of every thread's
// last batch.
absl::Status CheckCommits(const Region& region, const BatchSetting& setting,
                          const std::vector<Tally>& tallies, BatchRun& run) {
  std::vector<Timestamp> all;
  for (const Tally& tally : tallies) {
    all.insert(all.end(), tally.timestamps.begin(), tally.timestamps.end());
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (setting.same_rows) {
    run.duplicates =
        (run.measurement.operations() - static_cast<int64_t>(all.size())) *
        setting.rows;
  }
  for (size_t thread = 0; thread < tallies.size(); ++thread) {
    const std::vector<Timestamp>& own = tallies[thread].timestamps;
    if (own.empty()) continue;
    const int64_t first = FirstRow(setting, static_cast<int>(thread),
                                   static_cast<int64_t>(own.size()) - 1);
    const std::vector<Timestamp> wanted =
        setting.same_rows ? all : std::vector<Timestamp>{own.back()};
    SHALE_RETURN_IF_ERROR(CheckRow(region, first, wanted));
    SHALE_RETURN_IF_ERROR(CheckRow(region, first + setting.rows - 1, wanted));
    if (setting.same_rows) break;  // All threads have these two rows.
  }
  return absl::OkStatus();
}

double Median(const std::vector<Tally>& tallies) {
  std::vector<int64_t> nanos;
  for (const Tally& tally : tallies) {
    nanos.insert(nanos.end(), tally.nanos.begin(), tally.nanos.end());
  }
  if (nanos.empty()) return 0;
  const auto middle = nanos.begin() + nanos.size() / 2;
  std::nth_element(nanos.begin(), middle, nanos.end());
  return static_cast<double>(*middle);
}

}  // namespace

absl::StatusOr<BatchRun> RunBatches(const BatchSetting& setting,
                                    const RowCommitSequencerVariant& sequencer,
                                    const std::optional<DeviceSpec>& log,
                                    int64_t operations, Clock& clock,
                                    absl::FunctionRef<void(int64_t)> watch) {
  RegionComponents components = DefaultRegionComponents();
  components.commit_sequencer = sequencer.create;
  if (!log.has_value()) components.open_wal = StubWal::Open;
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<Device> device,
      Device::Open(log.value_or(DeviceSpec{DeviceSpec::Kind::kMemory, "", {}}),
                   clock));
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<BenchmarkRegion> region,
      BenchmarkRegion::Open(*device, clock, components, Schema(), Options()));
  std::vector<Tally> tallies(setting.threads);
  const int64_t each =
      (operations + setting.threads - 1) / int64_t{setting.threads};
  BatchRun run;
  run.measurement = RunThreads(
      {.threads = setting.threads}, clock, [&] { return region->causes(); },
      watch,
      [&](Worker& worker) {
        ApplyBatches(region->region(), setting, each, worker,
                     tallies[worker.index()]);
      });
  SHALE_RETURN_IF_ERROR(run.measurement.status);
  SHALE_RETURN_IF_ERROR(CheckCommits(region->region(), setting, tallies, run));
  run.median_nanos = Median(tallies);
  return run;
}

}  // namespace shale
