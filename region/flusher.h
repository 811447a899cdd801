#ifndef SHALE_REGION_FLUSHER_H_
#define SHALE_REGION_FLUSHER_H_

#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "shale/region/maintenance.h"
#include "shale/region/region_stats.h"

namespace shale {

// What a flush has frozen and not dealt with yet.
struct FrozenMemstores {
  WriteNumber last;
  LogPosition position;
  int64_t bytes = 0;
  Timestamp clock_floor = 0;
};

// Moves a region's memstores into store files. Thread-safe; one flush at a
// time.
//
// The steps, each safe to be the last one before a crash:
//   1. Log a start marker. Under the updates lock freeze the memstores, and
//      tell the log that later entries belong to the next flush.
//   2. Wait until every frozen write is visible, hence decided.
//   3. Write and finish a file for each family.
//   4. Sync the log through the frozen position: no file may hold a write that
//      its own log could still lose.
//   5. Commit the manifest, then show the files in the place of the frozen
//      memstores, then let the log go.
// Where that ends for want of space, of its own or the log's, 2 to 5 are done
// once more in the space that the host has set aside (space_reserve.h).
// After a failure in 2 to 5 the memstores stay frozen and readable, and the
// next flush begins again at 2. The waits in 2 and 4 are bounded by
// RegionOptions::write_timeout each: RESOURCE_EXHAUSTED, saying why.
class Flusher {
 public:
  explicit Flusher(const MaintenanceServices& services) : s_(services) {}

  absl::StatusOr<FlushResult> Flush() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // The memstore bytes that are freed are added to `freed_bytes`.
  absl::StatusOr<FlushResult> FlushAll(int64_t& freed_bytes)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status FlushFrozenWithMarkers(FlushResult& total, int64_t& freed_bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Freeze() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status WriteFiles(std::vector<WrittenFile>& outputs)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status SyncLog() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Commit(const std::vector<WrittenFile>& outputs)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<FlushResult> FlushFrozen() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const MaintenanceServices s_;
  // Held through a whole flush, I/O included; nothing a writer needs waits for
  // it. Order: this -> updates lock -> everything below.
  absl::Mutex mu_;
  std::optional<FrozenMemstores> frozen_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_FLUSHER_H_
