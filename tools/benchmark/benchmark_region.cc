#include "shale/tools/benchmark/benchmark_region.h"

#include "shale/base/status_macros.h"
#include "shale/region/host_environment.h"
#include "shale/region/host_options.h"
#include "shale/region/region_stats.h"

namespace shale {
namespace {

// As many as a LocalHost has.
constexpr int kBackgroundThreads = 2;
constexpr int kReaderThreads = 2;

}  // namespace

BenchmarkRegion::BenchmarkRegion(Clock& clock)
    : background_(kBackgroundThreads, clock), readers_(kReaderThreads, clock) {}

absl::StatusOr<std::unique_ptr<BenchmarkRegion>> BenchmarkRegion::Open(
    Device& device, Clock& clock, const RegionComponents& components,
    const RegionSchema& schema, const RegionOptions& options) {
  auto region = std::unique_ptr<BenchmarkRegion>(new BenchmarkRegion(clock));
  const HostEnvironment environment{device.files(),    clock,
                                    device.executor(), region->background_,
                                    region->readers_,  region->metrics_,
                                    region->log_};
  HostOptions host;
  host.components = components;
  SHALE_ASSIGN_OR_RETURN(region->host_, RegionHost::Open(environment, host));
  SHALE_RETURN_IF_ERROR(region->host_->CreateRegion(schema));
  SHALE_ASSIGN_OR_RETURN(region->region_,
                         region->host_->OpenRegion(schema.name, options));
  return region;
}

Causes BenchmarkRegion::causes() const {
  Causes causes = ProcessCauses();
  const RegionStats stats = region_->Stats();
  causes.waits = stats.mvcc.waits;
  causes.wakes = stats.mvcc.wakes;
  causes.barrier_waits = stats.increment_barrier_waits;
  causes.yields = stats.sequencer.yields;
  for (const MetricSample& metric : metrics_.Snapshot()) {
    if (metric.name == "shale_wal_syncs_total") causes.syncs = metric.value;
    if (metric.name == "shale_wal_appends_total") {
      causes.log_entries = metric.value;
    }
  }
  return causes;
}

}  // namespace shale
