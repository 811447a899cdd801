#ifndef SHALE_REGION_REGION_COUNTERS_H_
#define SHALE_REGION_REGION_COUNTERS_H_

#include "shale/base/metrics.h"

namespace shale {

// What a region counts of what passes through it; RegionStats says what each
// means. Thread-safe.
struct RegionCounters {
  Counter commits;
  Counter unlogged_commits;
  Counter cells_written;
  Counter gets;
  Counter scans;
  Counter flush_failures;
  Counter flushed_bytes;
  Counter compaction_failures;
  Counter compaction_input_bytes;
  Counter compaction_output_bytes;
  HistogramMetric flush_micros;
  HistogramMetric compaction_micros;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_COUNTERS_H_
