#ifndef SHALE_REGION_REGION_CORE_H_
#define SHALE_REGION_REGION_CORE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/metrics.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/stuck_write_watchdog.h"
#include "shale/region/close_gate.h"
#include "shale/region/health_monitor.h"
#include "shale/region/host_environment.h"
#include "shale/region/manifest_store.h"
#include "shale/region/region_components.h"
#include "shale/region/region_counters.h"
#include "shale/region/region_options.h"
#include "shale/region/region_reader.h"
#include "shale/region/region_replay.h"
#include "shale/region/region_stats.h"
#include "shale/region/region_stores.h"
#include "shale/region/region_writer.h"
#include "shale/region/space_reserve.h"
#include "shale/region/store_file_names.h"
#include "shale/region/store_file_remover.h"
#include "shale/wal/wal.h"

namespace shale {

// What a host gives to each of its regions; all outlive them.
struct RegionContext {
  HostEnvironment& environment;
  const RegionComponents& components;
  BlockCache& cache;
  OwnerToken token;
  // "host/regions/<incarnation>/".
  std::string directory;
  StoreFileNames& names;
  // HostOptions::trust_wall_clock.
  bool trust_wall_clock = false;
  // Null if the host is open for inspection only.
  Wal* wal = nullptr;
  SpaceReserve* reserve = nullptr;  // The same.
};

// The parts of one open region and what becomes of them at open and close.
// Thread-safe.
class RegionCore {
 public:
  // Opens the files that the manifest names, puts `replay` into the memstores
  // and, unless the host is read-only, begins to serve writes and removes files
  // that no manifest names. DATA_LOSS names the file that lies or is missing.
  static absl::StatusOr<std::unique_ptr<RegionCore>> Open(
      const RegionContext& context, const RegionOptions& options,
      const RegionReplay& replay);

  // Closes, and tells the host that the region is open no more, and whether all
  // it held is in its files.
  ~RegionCore();
  void set_on_destroy(absl::AnyInvocable<void(bool flushed)> on_destroy) {
    on_destroy_ = std::move(on_destroy);
  }

  const RegionSchema& schema() const { return schema_; }
  CloseGate& gate() { return gate_; }
  HealthMonitor& health() { return health_; }
  RegionCounters& counters() { return counters_; }
  const RegionReader& reader() const { return *reader_; }
  // FAILED_PRECONDITION if the region is open for inspection only.
  absl::StatusOr<RegionWriter*> writer();

  absl::Status Verify(
      const std::function<void(uint64_t, uint64_t)>& progress) const;
  // A further call waits for the first and returns its status.
  absl::Status Close() ABSL_LOCKS_EXCLUDED(close_mu_);
  RegionStats Stats() const;

 private:
  RegionCore(const RegionContext& context, const RegionOptions& options,
             const Manifest& manifest);

  // The largest write number in the files goes to `last`.
  absl::Status OpenFiles(const Manifest& manifest, WriteNumber& last);
  absl::Status StartWriter(const RegionContext& context,
                           std::unique_ptr<ManifestStore> manifest,
                           const ReplayedCells& replayed,
                           const std::vector<AppliedNonce>& nonces);
  // Files left by a flush or compaction that never got into a manifest.
  absl::Status RemoveOrphans(const Manifest& manifest);

  const RegionOptions options_;
  const RegionSchema schema_;
  const WriteNumber flushed_at_open_;
  Clock& clock_;
  LogSink& log_;
  StoreFileRemover remover_;  // Goes after all that has store files.
  const RegionFiles files_;
  absl::Mutex close_mu_;  // Held by Close throughout, I/O included.
  absl::Status close_status_ ABSL_GUARDED_BY(close_mu_);
  CloseGate gate_;
  HealthMonitor health_;
  RegionCounters counters_;
  std::unique_ptr<Mvcc> mvcc_;
  std::unique_ptr<RegionStores> stores_;
  std::unique_ptr<RegionReader> reader_;
  std::unique_ptr<RegionWriter> writer_;
  std::unique_ptr<StuckWriteWatchdog> stuck_writes_;  // Goes before mvcc_.
  absl::AnyInvocable<void(bool flushed)> on_destroy_;
  // From the end of Open to Close.
  std::optional<MetricsRegistry::Collection> metrics_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_CORE_H_
