#include "shale/region/region_metrics.h"

#include <utility>

#include "shale/base/histogram.h"

namespace shale {
namespace {

// Adds samples that share their first label.
class Adder {
 public:
  Adder(std::pair<std::string, std::string> label,
        std::vector<MetricSample>& samples)
      : label_(std::move(label)), samples_(samples) {}

  void Count(const char* name, const char* help, int64_t value,
             MetricLabels labels = {}) {
    Add(name, help, MetricKind::kCounter, std::move(labels)).value = value;
  }
  void Level(const char* name, const char* help, int64_t value,
             MetricLabels labels = {}) {
    Add(name, help, MetricKind::kGauge, std::move(labels)).value = value;
  }
  void Micros(const char* name, const char* help, Histogram histogram) {
    MetricSample& sample = Add(name, help, MetricKind::kHistogram, {});
    sample.unit = 1e-6;
    sample.histogram = std::move(histogram);
  }

 private:
  MetricSample& Add(const char* name, const char* help, MetricKind kind,
                    MetricLabels labels) {
    labels.push_back(label_);
    MetricSample& sample = samples_.emplace_back();
    sample.name = name;
    sample.labels = std::move(labels);
    sample.help = help;
    sample.kind = kind;
    return sample;
  }

  const std::pair<std::string, std::string> label_;
  std::vector<MetricSample>& samples_;
};

void AddOperations(const RegionStats& stats, Adder& add) {
  add.Count("shale_region_commits_total",
            "Batches and read-modify-writes that were applied.", stats.commits);
  add.Count("shale_region_unlogged_commits_total",
            "Commits of them that skipped the log.", stats.unlogged_commits);
  add.Count("shale_region_cells_written_total",
            "Cells of the commits, delete markers included.",
            stats.cells_written);
  add.Count("shale_region_gets_total", "Reads of one row.", stats.gets);
  add.Count("shale_region_scans_total", "Scanners opened.", stats.scans);
  add.Count("shale_region_row_lock_waits_total",
            "Times that a commit had to wait for a row.",
            stats.row_locks.waits);
  add.Count("shale_region_row_lock_timeouts_total",
            "Such waits that a deadline ended.", stats.row_locks.timeouts);
  add.Count("shale_region_visibility_waits_total",
            "Waits for a write or barrier that parked a thread.",
            stats.mvcc.waits);
  add.Count("shale_region_increment_barrier_waits_total",
            "Increments that waited for all writes before them.",
            stats.increment_barrier_waits);
  add.Level("shale_region_read_point",
            "Everything up to this write number is visible.",
            static_cast<int64_t>(stats.read_point.value));
  add.Level("shale_region_write_point", "The largest write number so far.",
            static_cast<int64_t>(stats.write_point.value));
}

void AddMaintenance(const RegionStats& stats, Adder& add) {
  add.Micros("shale_region_flush_seconds", "Time that a flush takes.",
             stats.flush_micros);
  add.Count("shale_region_flush_failures_total", "Flushes that failed.",
            stats.flush_failures);
  add.Count("shale_region_flushed_bytes_total", "Bytes of the files flushed.",
            stats.flushed_bytes);
  add.Micros("shale_region_compaction_seconds", "Time that a compaction takes.",
             stats.compaction_micros);
  add.Count("shale_region_compaction_failures_total",
            "Compactions that failed or were cut short.",
            stats.compaction_failures);
  add.Count("shale_region_compaction_input_bytes_total",
            "Bytes of the files that compactions read.",
            stats.compaction_input_bytes);
  add.Count("shale_region_compaction_output_bytes_total",
            "Bytes of the files that compactions wrote.",
            stats.compaction_output_bytes);
}

void AddFamily(const FamilyStats& family, Adder& add) {
  const MetricLabels label = {{"family", family.name}};
  add.Level("shale_region_memstore_bytes", "Bytes in memory, not flushed yet.",
            family.memstore_bytes, label);
  add.Level("shale_region_memstore_cells", "Cells in memory, not flushed yet.",
            family.memstore_cells, label);
  add.Level("shale_region_store_files", "Store files.", family.files, label);
  add.Level("shale_region_store_file_bytes", "Bytes of the store files.",
            family.file_bytes, label);
  add.Level("shale_region_store_file_cells", "Cells of the store files.",
            family.file_cells, label);
}

}  // namespace

void AddRegionMetrics(const std::string& region, const RegionStats& stats,
                      const RegionHealth& health,
                      std::vector<MetricSample>& samples) {
  Adder add({"region", region}, samples);
  AddOperations(stats, add);
  AddMaintenance(stats, add);
  for (const FamilyStats& family : stats.families) AddFamily(family, add);
  for (const HealthState state :
       {HealthState::kServing, HealthState::kStalled, HealthState::kPoisoned}) {
    add.Level("shale_region_health", "1 for the state that the region is in.",
              health.state == state ? 1 : 0,
              {{"state", std::string(HealthStateName(state))}});
  }
}

void AddCacheMetrics(const std::string& host, const BlockCacheStats& stats,
                     std::vector<MetricSample>& samples) {
  Adder add({"host", host}, samples);
  for (size_t i = 0; i < kBlockKinds; ++i) {
    const MetricLabels label = {
        {"kind", std::string(BlockKindName(static_cast<BlockKind>(i)))}};
    add.Count("shale_cache_hits_total", "Blocks that were found.",
              stats.hits[i], label);
    add.Count("shale_cache_misses_total", "Blocks that were not found.",
              stats.misses[i], label);
  }
  add.Count("shale_cache_inserts_total", "Blocks that became resident.",
            stats.inserts);
  add.Count("shale_cache_evictions_total", "Blocks dropped to make room.",
            stats.evictions);
  add.Count("shale_cache_refused_total", "Blocks not kept although wanted.",
            stats.refused);
  add.Level("shale_cache_resident_bytes", "Bytes of the blocks kept.",
            stats.resident_bytes);
  add.Level("shale_cache_pinned_bytes",
            "Bytes of the blocks that readers hold, resident or not.",
            stats.pinned_bytes);
  add.Level("shale_cache_capacity_bytes", "Most bytes that are kept.",
            stats.capacity_bytes);
}

}  // namespace shale
