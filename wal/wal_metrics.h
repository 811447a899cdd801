#ifndef SHALE_WAL_WAL_METRICS_H_
#define SHALE_WAL_WAL_METRICS_H_

#include "absl/strings/string_view.h"
#include "shale/base/metrics.h"

namespace shale {

// What a log counts, labelled with its directory.
struct WalMetrics {
  WalMetrics(MetricsRegistry& registry, absl::string_view directory);

  Counter& appends;
  Counter& append_bytes;  // Encoded.
  Counter& syncs;         // Of the file system; successful.
  Counter& rolls;         // Segments ended in good order.
  Counter& failures;      // Segments given up after a failed write or sync.
  Gauge& segments;        // In use.
  HistogramMetric& entries_per_sync;
  HistogramMetric& sync_micros;
};

}  // namespace shale

#endif  // SHALE_WAL_WAL_METRICS_H_
