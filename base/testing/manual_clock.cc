#include "shale/base/testing/manual_clock.h"

#include <algorithm>

#include "shale/base/check.h"

namespace shale {

absl::Time ManualClock::Now() {
  absl::MutexLock lock(&mu_);
  return wall_;
}

absl::Duration ManualClock::Monotonic() {
  absl::MutexLock lock(&mu_);
  return monotonic_;
}

bool ManualClock::AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                             absl::Duration deadline) {
  return waiters_.AwaitUntil(
      mu, condition, [this, deadline] { return deadline - Monotonic(); },
      [&mu](const absl::Condition& wake, absl::Duration)
          ABSL_NO_THREAD_SAFETY_ANALYSIS { mu.Await(wake); });
}

void ManualClock::SleepUntil(absl::Duration deadline) {
  if (advance_instead_of_sleeping_) {
    AdvanceTo(deadline);
    return;
  }
  absl::Mutex mu;
  absl::MutexLock lock(&mu);
  const auto never = [] { return false; };
  AwaitUntil(mu, absl::Condition(&never), deadline);
}

int64_t ManualClock::WaitForNextTick(absl::Duration tick) {
  const int64_t next = TickNumber(Monotonic(), tick) + 1;
  SleepUntil(next * tick);
  return next;
}

void ManualClock::Advance(absl::Duration by) { Move(by, by); }

void ManualClock::AdvanceMonotonic(absl::Duration by) {
  Move(by, absl::ZeroDuration());
}

void ManualClock::AdvanceTo(absl::Duration monotonic) {
  const absl::Duration by =
      std::max(monotonic - Monotonic(), absl::ZeroDuration());
  Move(by, by);
}

void ManualClock::SetWall(absl::Time wall) {
  absl::MutexLock lock(&mu_);
  wall_ = wall;
}

void ManualClock::Move(absl::Duration monotonic_by, absl::Duration wall_by) {
  SHALE_CHECK(monotonic_by >= absl::ZeroDuration()) << monotonic_by;
  {
    absl::MutexLock lock(&mu_);
    monotonic_ += monotonic_by;
    wall_ += wall_by;
  }
  waiters_.WakeAll();
}

}  // namespace shale
