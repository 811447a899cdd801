#ifndef SHALE_REGION_PURGE_CLOCK_H_
#define SHALE_REGION_PURGE_CLOCK_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/cell/timestamp.h"

namespace shale {

// The time by which a region forgets what is expired: cells, for good, in flush
// and compaction, and nonces at open. A wall clock that reads far ahead would
// make it forget everything, so such a reading isn't believed
// (docs/decisions/0012-a-jumped-clock-purges-nothing.md).
//
// Invariants:
//   C1. Now() is never ahead of the wall clock.
//   C2. Nor is it by more than the allowance ahead of the newest time believed
//       before and what has passed since on the monotonic clock.
//   C3. What is believed only grows, also across openings: the manifest has it.
//
// Thread-safe.
class PurgeClock {
 public:
  // How far ahead a reading may be: until the first of an opening that counts,
  // since nobody knows how long the region was closed, and after that.
  static constexpr absl::Duration kAllowanceAtOpen = absl::Hours(366 * 24);
  static constexpr absl::Duration kAllowance = absl::Hours(24);

  // `believed` is of earlier openings; 0 if nothing is known, and then, as with
  // `trust_wall`, the clock is believed as it reads now. `held_seconds` tells
  // by how much it reads too much, 0 if it doesn't. All outlive this.
  PurgeClock(Timestamp believed, bool trust_wall, Clock& clock,
             Gauge& held_seconds, LogSink& log, std::string region);

  Timestamp Now() ABSL_LOCKS_EXCLUDED(mu_);

  // For the manifest: the newest time believed, of all openings, up to now.
  Timestamp NewestBelieved() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  Timestamp Read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Believe(Timestamp time, absl::Duration at)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Says so once.
  void Hold(Timestamp wall, Timestamp expected)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Clock& clock_;
  Gauge& held_seconds_;
  LogSink& log_;
  const std::string region_;
  absl::Mutex mu_;  // Order: this -> the log sink's and the clock's.
  // The newest time believed, and when that was (monotonic).
  Timestamp believed_ ABSL_GUARDED_BY(mu_);
  absl::Duration believed_at_ ABSL_GUARDED_BY(mu_);
  absl::Duration allowance_ ABSL_GUARDED_BY(mu_) = kAllowanceAtOpen;
  bool held_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_REGION_PURGE_CLOCK_H_
