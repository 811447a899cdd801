// A clock that only the test moves.
#ifndef SHALE_BASE_TESTING_MANUAL_CLOCK_H_
#define SHALE_BASE_TESTING_MANUAL_CLOCK_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/clock_waiters.h"

namespace shale {

// Thread-safe. The monotonic clock begins at 0.
// A thread that waits is woken by the Advance() that reaches its deadline:
//
//   ManualClock clock;
//   std::thread waiter([&clock] { clock.SleepUntil(absl::Seconds(5)); });
//   clock.AwaitWaiters(1);  // It has come to its wait.
//   clock.Advance(absl::Seconds(5));
//   waiter.join();
class ManualClock final : public Clock {
 public:
  explicit ManualClock(absl::Time wall = absl::FromUnixSeconds(1600000000))
      : wall_(wall) {}

  absl::Time Now() override;
  absl::Duration Monotonic() override;
  bool AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                  absl::Duration deadline) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  void SleepUntil(absl::Duration deadline) override;
  int64_t WaitForNextTick(absl::Duration tick) override;

  // Moves both clocks. The caller of this and of the next two holds no mutex
  // that a thread waits with. REQUIRES: by >= 0.
  void Advance(absl::Duration by);
  // As Advance, as far as to this monotonic time. Does nothing if it is past.
  void AdvanceTo(absl::Duration monotonic);
  // Moves the monotonic clock alone: the wall clock is slow. REQUIRES: by >= 0.
  void AdvanceMonotonic(absl::Duration by);
  // Steps the wall clock alone, in either direction.
  void SetWall(absl::Time wall);

  // Blocks until at least `count` threads wait in this clock, at its present
  // time. One whose condition holds still counts until it has noticed.
  void AwaitWaiters(int count) { waiters_.AwaitWaiters(count); }

  // From now on SleepUntil and WaitForNextTick don't block, but advance the
  // clock to what they wait for: for tests of one thread. To be called first.
  void AdvanceInsteadOfSleeping() { advance_instead_of_sleeping_ = true; }

 private:
  void Move(absl::Duration monotonic_by, absl::Duration wall_by)
      ABSL_LOCKS_EXCLUDED(mu_);

  ClockWaiters waiters_;
  // Order: the mutex of a waiting thread -> mu_.
  absl::Mutex mu_;
  absl::Time wall_ ABSL_GUARDED_BY(mu_);
  absl::Duration monotonic_ ABSL_GUARDED_BY(mu_);
  bool advance_instead_of_sleeping_ = false;  // Constant once threads run.
};

}  // namespace shale

#endif  // SHALE_BASE_TESTING_MANUAL_CLOCK_H_
