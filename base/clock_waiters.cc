#include "shale/base/clock_waiters.h"

#include <vector>

namespace shale {

void ClockWaiters::Add(Waiter& waiter) {
  absl::MutexLock lock(&mu_);
  waiters_.insert(&waiter);
}

// The analysis cannot see which mutex a waiter refers to.
void ClockWaiters::Remove(Waiter& waiter) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  {
    absl::MutexLock lock(&mu_);
    if (waiter.wakers_ == 0) {
      waiters_.erase(&waiter);
      return;
    }
  }
  // A waker is about to use the waiter's mutex, so neither may go away yet.
  waiter.mu_.Unlock();
  {
    absl::MutexLock lock(&mu_);
    const auto no_wakers = [&waiter] { return waiter.wakers_ == 0; };
    mu_.Await(absl::Condition(&no_wakers));
    waiters_.erase(&waiter);
  }
  waiter.mu_.Lock();
}

void ClockWaiters::WakeAll() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  std::vector<Waiter*> woken;
  {
    absl::MutexLock lock(&mu_);
    woken.assign(waiters_.begin(), waiters_.end());
    for (Waiter* waiter : woken) ++waiter->wakers_;
  }
  for (Waiter* waiter : woken) {
    waiter->mu_.Lock();
    waiter->mu_.Unlock();
    absl::MutexLock lock(&mu_);
    --waiter->wakers_;
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
