// Which part of the log is still needed, by region and column family.
#ifndef SHALE_WAL_UNFLUSHED_TRACKER_H_
#define SHALE_WAL_UNFLUSHED_TRACKER_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/container/node_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"

namespace shale {

// For each region and family bit (LogEntry::families), where the oldest of its
// entries begins that is in no committed store file: in the memstore, or in one
// that a flush under way has frozen. A position P here means: needed from P on.
//
// Thread-safe.
class UnflushedTracker {
 public:
  // An entry with cells of `families` begins at `start`. Entries come in log
  // order.
  void Add(const Uuid& region, uint64_t families, LogPosition start)
      ABSL_LOCKS_EXCLUDED(mu_);

  // A flush has frozen the memstores of `families`.
  void StartFlush(const Uuid& region, uint64_t families)
      ABSL_LOCKS_EXCLUDED(mu_);
  // What was frozen is in store files.
  void FinishFlush(const Uuid& region, uint64_t families)
      ABSL_LOCKS_EXCLUDED(mu_);
  void Forget(const Uuid& region) ABSL_LOCKS_EXCLUDED(mu_);

  // Where the region's oldest unflushed entry begins, and the same leaving out
  // what flushes under way have frozen. Nothing if there is none.
  std::optional<LogPosition> Oldest(const Uuid& region) const
      ABSL_LOCKS_EXCLUDED(mu_);
  std::optional<LogPosition> OldestAfterFlush(const Uuid& region) const
      ABSL_LOCKS_EXCLUDED(mu_);
  // The oldest of all regions.
  std::optional<LogPosition> Oldest() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Positions by family bit; only those in the mask mean anything.
  struct Floors {
    void Lower(int bit, LogPosition position);
    std::optional<LogPosition> Oldest() const;

    uint64_t mask = 0;
    std::array<LogPosition, 64> positions;
  };
  struct Region {
    Floors active;
    Floors frozen;
  };

  void DropIfEmpty(const Uuid& region) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  mutable absl::Mutex mu_;  // A leaf.
  absl::node_hash_map<Uuid, Region> regions_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_WAL_UNFLUSHED_TRACKER_H_
