#include "shale/wal/wal_metrics.h"

#include <string>

namespace shale {
namespace {

MetricLabels LogLabel(absl::string_view directory) {
  return {{"log", std::string(directory)}};
}

}  // namespace

WalMetrics::WalMetrics(MetricsRegistry& registry, absl::string_view directory)
    : appends(registry.GetCounter("shale_wal_appends_total",
                                  "Entries appended to the log.",
                                  LogLabel(directory))),
      append_bytes(registry.GetCounter("shale_wal_append_bytes_total",
                                       "Bytes of the entries appended.",
                                       LogLabel(directory))),
      syncs(registry.GetCounter("shale_wal_syncs_total",
                                "Successful syncs of log segments.",
                                LogLabel(directory))),
      rolls(registry.GetCounter("shale_wal_rolls_total",
                                "Segments ended in good order.",
                                LogLabel(directory))),
      failures(
          registry.GetCounter("shale_wal_segment_failures_total",
                              "Segments given up after a failed write or sync.",
                              LogLabel(directory))),
      segments(registry.GetGauge("shale_wal_segments",
                                 "Segments that are still needed.",
                                 LogLabel(directory))),
      entries_per_sync(registry.GetHistogram(
          "shale_wal_entries_per_sync",
          "Entries that one sync of a segment made durable.",
          LogLabel(directory))),
      sync_micros(registry.GetHistogram("shale_wal_sync_seconds",
                                        "Time that a sync of a segment takes.",
                                        LogLabel(directory), 1e-6)) {}

}  // namespace shale
