#ifndef SHALE_TOOLS_BENCHMARK_BENCHMARK_REGION_H_
#define SHALE_TOOLS_BENCHMARK_BENCHMARK_REGION_H_

#include <memory>

#include "absl/status/statusor.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/region/column_family.h"
#include "shale/region/region.h"
#include "shale/region/region_components.h"
#include "shale/region/region_host.h"
#include "shale/region/region_options.h"
#include "shale/tools/benchmark/causes.h"
#include "shale/tools/benchmark/device.h"

namespace shale {

// A new region of its own host, composed as a benchmark wants it. Not
// thread-safe but for the region.
class BenchmarkRegion {
 public:
  // On `device`, which outlives it, as does `clock`.
  static absl::StatusOr<std::unique_ptr<BenchmarkRegion>> Open(
      Device& device, Clock& clock, const RegionComponents& components,
      const RegionSchema& schema, const RegionOptions& options = {});

  Region& region() { return *region_; }

  // Since it was opened; of the process since it began.
  Causes causes() const;

 private:
  explicit BenchmarkRegion(Clock& clock);

  NullLogSink log_;
  MetricsRegistry metrics_;
  ThreadPoolExecutor background_;
  ThreadPoolExecutor readers_;
  std::unique_ptr<RegionHost> host_;
  std::unique_ptr<Region> region_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_BENCHMARK_REGION_H_
