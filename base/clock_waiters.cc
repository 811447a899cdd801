#include "shale/base/clock_waiters.h"

#include <atomic>
#include <cstddef>
#include <vector>

namespace shale {

struct ClockWaiters::Waiter {
  absl::Mutex& mu;
  // Set by WakeAll(), which takes `mu` next, before the condition reads it:
  // pairs with nothing.
  std::atomic<bool> woken = false;
  // WakeAll() has yet to take and release `mu`. Guarded by ClockWaiters::mu_.
  bool waking = false;
};

bool ClockWaiters::AwaitUntil(
    absl::Mutex& mu, const absl::Condition& condition,
    absl::FunctionRef<absl::Duration()> left,
    absl::FunctionRef<void(const absl::Condition& wake, absl::Duration left)>
        wait) {
  while (true) {
    if (condition.Eval()) return true;
    Waiter waiter{mu};
    Add(waiter);
    // Looked at only now, so that a change before it is seen and a change after
    // it wakes.
    const absl::Duration left_now = left();
    if (left_now > absl::ZeroDuration()) {
      const auto wake = [&condition, &waiter] {
        return condition.Eval() || waiter.woken.load(std::memory_order_relaxed);
      };
      wait(absl::Condition(&wake), left_now);
    }
    Remove(waiter);
    if (left() <= absl::ZeroDuration()) return condition.Eval();
  }
}

void ClockWaiters::Add(Waiter& waiter) {
  absl::MutexLock lock(&mu_);
  waiters_.insert(&waiter);
}

// The analysis cannot see which mutex a waiter refers to, here and below.
void ClockWaiters::Remove(Waiter& waiter) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  {
    absl::MutexLock lock(&mu_);
    if (!waiter.waking) {
      waiters_.erase(&waiter);
      return;
    }
  }
  // WakeAll() is about to use the waiter's mutex, so neither may go away yet.
  waiter.mu.Unlock();
  {
    absl::MutexLock lock(&mu_);
    const auto woken = [&waiter] { return !waiter.waking; };
    mu_.Await(absl::Condition(&woken));
  }
  waiter.mu.Lock();
}

void ClockWaiters::WakeAll() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  std::vector<Waiter*> woken;
  {
    absl::MutexLock lock(&mu_);
    woken.assign(waiters_.begin(), waiters_.end());
    waiters_.clear();  // Who waits on adds itself again.
    for (Waiter* waiter : woken) {
      waiter->woken.store(true, std::memory_order_relaxed);
      waiter->waking = true;
    }
  }
  for (Waiter* waiter : woken) {
    waiter->mu.Lock();
    waiter->mu.Unlock();
    absl::MutexLock lock(&mu_);
    waiter->waking = false;
  }
}

void ClockWaiters::AwaitWaiters(int count) {
  absl::MutexLock lock(&mu_);
  const auto enough = [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return waiters_.size() >= static_cast<size_t>(count);
  };
  mu_.Await(absl::Condition(&enough));
}

}  // namespace shale
