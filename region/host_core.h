#ifndef SHALE_REGION_HOST_CORE_H_
#define SHALE_REGION_HOST_CORE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "shale/base/metrics.h"
#include "shale/filesystem/lease.h"
#include "shale/region/catalog.h"
#include "shale/region/host_environment.h"
#include "shale/region/host_options.h"
#include "shale/region/manifest.h"
#include "shale/region/region.h"
#include "shale/region/region_options.h"
#include "shale/region/region_replay.h"
#include "shale/region/space_reserve.h"
#include "shale/region/store_file_names.h"
#include "shale/region/used_epoch.h"
#include "shale/wal/wal.h"

namespace shale {

// The parts of an open host. Thread-safe.
class HostCore {
 public:
  static absl::StatusOr<std::unique_ptr<HostCore>> Open(
      const HostEnvironment& environment, const HostOptions& options);
  ~HostCore();

  absl::Status CreateRegion(const RegionSchema& schema)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<std::unique_ptr<Region>> OpenRegion(
      absl::string_view name, const RegionOptions& options)
      ABSL_LOCKS_EXCLUDED(mu_);
  std::vector<std::string> RegionNames() const ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Close() ABSL_LOCKS_EXCLUDED(mu_);

  BlockCache& cache() { return *cache_; }
  const RecoveryReport& recovery() const { return recovery_; }

 private:
  // What a region that isn't free to be opened is.
  enum class Occupied { kOpen, kClosedUnflushed };

  HostCore(const HostEnvironment& environment, const HostOptions& options);

  // The steps of Open, in order. Up to Recover nothing is changed in a host
  // that is there.
  absl::Status AcquireLease();
  // A lease of an epoch that no file's name has. DATA_LOSS if one has a larger
  // epoch than the last owner on record; with none on record that was lost.
  absl::Status AcquireAbove(const UsedEpoch& used);
  absl::Status OpenCatalog() ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status ReadCloseRecord() ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<std::vector<Manifest>> ReadManifests()
      ABSL_LOCKS_EXCLUDED(mu_);
  // Whether log and store files can be opened, by opening them for reading.
  absl::Status CheckFiles(absl::Span<const Manifest> manifests)
      ABSL_LOCKS_EXCLUDED(mu_);
  // Reads the log and, unless for inspection only, begins a new one, in the
  // space that was set aside; and sets some aside.
  absl::Status Recover() ABSL_LOCKS_EXCLUDED(mu_);

  // Whether a host may be made where there is none.
  bool may_create() const {
    return options_.create_if_missing && !options_.read_only;
  }
  // The log is closed: keeps how far it goes. A failure is only logged.
  void RecordClose() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void OnRegionDestroyed(const std::string& name, bool flushed)
      ABSL_LOCKS_EXCLUDED(mu_);
  OwnerToken token() const;

  HostEnvironment environment_;
  const HostOptions options_;
  std::unique_ptr<BlockCache> cache_;
  std::unique_ptr<Lease> lease_;
  RecoveryReport recovery_;
  std::unique_ptr<Wal> wal_;  // Null: open for inspection only.
  std::unique_ptr<StoreFileNames> store_file_names_;  // Of the lease's epoch.
  std::unique_ptr<SpaceReserve> reserve_;             // Null: as wal_.

  // Held while a region is created or opened, I/O included. Order: before every
  // lock of a region.
  mutable absl::Mutex mu_;
  Catalog catalog_ ABSL_GUARDED_BY(mu_);
  HostReplay replay_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, Occupied> occupied_ ABSL_GUARDED_BY(mu_);
  bool close_recorded_ ABSL_GUARDED_BY(mu_) = false;
  MetricsRegistry::Collection cache_metrics_;  // Goes before cache_.
};

}  // namespace shale

#endif  // SHALE_REGION_HOST_CORE_H_
