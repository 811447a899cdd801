// Time, as everything in Shale sees it: injected, so that tests move it by hand
// (testing/manual_clock.h) and nothing sleeps in a test.
//
// Two times that must not be mixed up. The wall clock says what people call the
// time; it may jump, also backwards. The monotonic clock counts from an
// arbitrary start and never goes back: every wait and every deadline is on it.
#ifndef SHALE_BASE_CLOCK_H_
#define SHALE_BASE_CLOCK_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Thread-safe. Must outlive the threads that wait in it.
class Clock {
 public:
  virtual ~Clock() = default;

  // The wall clock. May step back between two calls, or far forward.
  virtual absl::Time Now() = 0;

  // The time since an arbitrary start, the same for all threads. Never goes
  // back.
  virtual absl::Duration Monotonic() = 0;

  // Waits, as absl::Mutex::Await, until `condition` holds or until Monotonic()
  // >= `deadline`, which may be infinite; returns whether `condition` holds.
  // Releases `mu` while it waits and holds it again on return. A past deadline
  // only evaluates the condition.
  virtual bool AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                          absl::Duration deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) = 0;

  // Blocks the calling thread until Monotonic() >= `deadline`.
  virtual void SleepUntil(absl::Duration deadline) = 0;

  // Blocks the calling thread until the next edge of `tick` strictly after now
  // and returns that edge's number: with n returned, Monotonic() >= n * tick.
  // REQUIRES: tick > 0.
  virtual int64_t WaitForNextTick(absl::Duration tick) = 0;
};

// The number of the tick that `monotonic` lies in, counted from 0.
// REQUIRES: monotonic >= 0, tick > 0.
inline int64_t TickNumber(absl::Duration monotonic, absl::Duration tick) {
  absl::Duration within;
  return absl::IDivDuration(monotonic, tick, &within);
}

// The machine's clocks. A thread's first wait sets its timer slack to 1 ns, so
// that waits end as soon after their deadline as the machine can wake a thread.
// They keep to the monotonic clock even if the wall clock is set meanwhile; to
// notice that, the first AwaitUntil() starts one thread, which sleeps until
// then.
Clock& RealClock();

}  // namespace shale

#endif  // SHALE_BASE_CLOCK_H_
