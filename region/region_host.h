#ifndef SHALE_REGION_REGION_HOST_H_
#define SHALE_REGION_REGION_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/region.h"
#include "shale/region/region_components.h"
#include "shale/wal/open_wal.h"

namespace shale {

class HostCore;

// What a host stands on; all outlive it.
struct HostEnvironment {
  FileSystem& files;
  Clock& clock;
  Executor& executor;
  MetricsRegistry& metrics;
  LogSink& log;
};

struct HostOptions {
  // Under which the log and the regions lie in the file system.
  std::string directory = "host";
  // For people who find the directory taken: "shale import, pid 4711".
  std::string owner;
  // Make the host if the directory holds none; otherwise that is NOT_FOUND.
  bool create_if_missing = true;
  // Nothing is written: no lease, no recovery on disk; the log is replayed into
  // memory only, and regions refuse writes, flushes and compactions.
  bool read_only = false;
  WalOptions wal;
  BlockCacheOptions cache;
  RegionComponents components = DefaultRegionComponents();
};

// A directory's regions with the one log, block cache and owner's lease they
// share. Opening recovers the log. Thread-safe; outlives its regions.
class RegionHost {
 public:
  // FAILED_PRECONDITION naming the owner if the directory is in use, by this
  // process too; DATA_LOSS naming file and offset if the log or a manifest lies,
  // with nothing written.
  static absl::StatusOr<std::unique_ptr<RegionHost>> Open(
      const HostEnvironment& environment, const HostOptions& options);

  explicit RegionHost(std::unique_ptr<HostCore> core);
  ~RegionHost();

  // ALREADY_EXISTS, or INVALID_ARGUMENT naming what is wrong with the schema.
  // Durable on return.
  absl::Status CreateRegion(const RegionSchema& schema);

  // NOT_FOUND, or FAILED_PRECONDITION if it is open already.
  absl::StatusOr<std::unique_ptr<Region>> OpenRegion(
      absl::string_view name, const RegionOptions& options = {});

  std::vector<std::string> RegionNames() const;

  BlockCache& cache();
  const RecoveryReport& recovery() const;

  // Closes the log. REQUIRES: every region was destroyed. Idempotent.
  absl::Status Close();

 private:
  std::unique_ptr<HostCore> core_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_HOST_H_
