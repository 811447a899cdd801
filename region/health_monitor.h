#ifndef SHALE_REGION_HEALTH_MONITOR_H_
#define SHALE_REGION_HEALTH_MONITOR_H_

#include <atomic>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/region/region_health.h"
#include "shale/wal/wal.h"

namespace shale {

// What state a region is in, and the first cause. Poisoned and closed are
// final; closing a poisoned region keeps it poisoned. Thread-safe.
class HealthMonitor {
 public:
  explicit HealthMonitor(Clock& clock);

  RegionHealth health() const ABSL_LOCKS_EXCLUDED(mu_);

  // FAILED_PRECONDITION with the first cause if writes are refused.
  absl::Status CheckWritable(absl::string_view region) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // Calls `start` with a callback and blocks until that is run; or until the
  // region is poisoned: then the first cause; or until `deadline` (monotonic):
  // then Busy(what). The callback may be dropped or run later still; it says
  // whether it has come in time.
  absl::Status AwaitUnlessPoisoned(
      absl::string_view what, absl::Duration deadline,
      absl::FunctionRef<void(absl::AnyInvocable<bool()>)> start)
      ABSL_LOCKS_EXCLUDED(mu_);

  // RESOURCE_EXHAUSTED: `what` has taken too long, and since when the region is
  // stalled, and why; with that cause's payload, which says whether space is
  // lacking (LacksSpace).
  absl::Status Busy(absl::string_view what) const ABSL_LOCKS_EXCLUDED(mu_);
  // The second half of it.
  std::string WhyBusy() const ABSL_LOCKS_EXCLUDED(mu_);

  // The log stalled, resumed or was poisoned.
  void OnLogHealth(const LogHealth& health) ABSL_LOCKS_EXCLUDED(mu_);
  // For one who has just begun to listen to the log: takes on the state that
  // `current` reads. What the listener is told meanwhile counts after it, so
  // that a state read early can't stay in the place of a newer one.
  void AdoptLogHealth(absl::FunctionRef<LogHealth()> current)
      ABSL_LOCKS_EXCLUDED(mu_);
  void Poison(absl::Status cause) ABSL_LOCKS_EXCLUDED(mu_);
  void Close() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void EnterLogHealth(const LogHealth& health)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Enter(HealthState state, absl::Status cause)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // "`what` is poisoned since T: the first cause".
  std::string Story(absl::string_view what) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Clock& clock_;
  // Before the log's own lock, which nobody holds who tells of its health;
  // otherwise a leaf.
  mutable absl::Mutex mu_;
  RegionHealth health_ ABSL_GUARDED_BY(mu_);
  // Whether health_ accepts writes, so that a write needn't lock. Stored with
  // release under mu_, loaded with acquire: who finds it false finds the cause.
  std::atomic<bool> writable_ = true;
};

}  // namespace shale

#endif  // SHALE_REGION_HEALTH_MONITOR_H_
