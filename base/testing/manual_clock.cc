#include "shale/base/testing/manual_clock.h"

#include <algorithm>

#include "shale/base/check.h"

namespace shale {

absl::Time ManualClock::Now() {
  absl::MutexLock lock(&mu_);
  return wall_;
}

absl::Duration ManualClock::Monotonic() {
  return absl::Nanoseconds(monotonic_ns_.load());
}

bool ManualClock::Reached(int64_t deadline_ns) const {
  return monotonic_ns_.load() >= deadline_ns;
}

bool ManualClock::AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                             absl::Duration deadline) {
  // Rounded up, so that no wait ends early.
  const int64_t deadline_ns =
      absl::ToInt64Nanoseconds(absl::Ceil(deadline, absl::Nanoseconds(1)));
  const auto wake = [this, &condition, deadline_ns] {
    return condition.Eval() || Reached(deadline_ns);
  };
  while (!wake()) {
    ClockWaiters::Waiter waiter(mu);
    waiters_.Add(waiter);
    mu.Await(absl::Condition(&wake));
    waiters_.Remove(waiter);
  }
  return condition.Eval();
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

void ManualClock::Advance(absl::Duration by) {
  {
    absl::MutexLock lock(&mu_);
    wall_ += by;
  }
  AdvanceMonotonic(by);
}

void ManualClock::AdvanceTo(absl::Duration monotonic) {
  Advance(std::max(monotonic - Monotonic(), absl::ZeroDuration()));
}

void ManualClock::AdvanceMonotonic(absl::Duration by) {
  SHALE_CHECK(by >= absl::ZeroDuration()) << by;
  monotonic_ns_ += absl::ToInt64Nanoseconds(by);
  waiters_.WakeAll();
}

void ManualClock::SetWall(absl::Time wall) {
  absl::MutexLock lock(&mu_);
  wall_ = wall;
}

}  // namespace shale
