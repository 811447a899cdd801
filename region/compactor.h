#ifndef SHALE_REGION_COMPACTOR_H_
#define SHALE_REGION_COMPACTOR_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "shale/region/maintenance.h"
#include "shale/region/region_stats.h"

namespace shale {

// Merges all files of each family into one. Thread-safe; one compaction at a
// time, beside flushes, whose newer files it leaves alone.
//
// A family's commit is one replacement of the manifest; the files it replaces
// are removed when their last reader lets go, and kept if the outcome of the
// commit is not known.
class Compactor {
 public:
  explicit Compactor(const MaintenanceServices& services) : s_(services) {}

  absl::StatusOr<CompactionResult> Compact() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  absl::StatusOr<CompactionResult> CompactAll() ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status CompactFamily(size_t id, CompactionResult& total)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const MaintenanceServices s_;
  absl::Mutex mu_;  // Held through a whole compaction, I/O included.
};

}  // namespace shale

#endif  // SHALE_REGION_COMPACTOR_H_
