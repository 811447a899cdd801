// The threads that wait in a clock with a mutex of their own.
#ifndef SHALE_BASE_CLOCK_WAITERS_H_
#define SHALE_BASE_CLOCK_WAITERS_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Lets a clock make its waiting threads look at the time again. abseil
// evaluates the conditions of a mutex only when some thread releases it, and
// time that has passed is not among the reasons why one would: so WakeAll()
// takes and releases the mutex of each waiter. Thread-safe.
class ClockWaiters {
 public:
  // Clock::AwaitUntil for a clock on which the deadline is `left()` away:
  // `wait(wake, left)` waits with `mu` held until `wake` holds, or for about
  // `left` if it can.
  bool AwaitUntil(
      absl::Mutex& mu, const absl::Condition& condition,
      absl::FunctionRef<absl::Duration()> left,
      absl::FunctionRef<void(const absl::Condition& wake, absl::Duration left)>
          wait) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) ABSL_LOCKS_EXCLUDED(mu_);

  // Makes every waiter compare its deadline with the clock once more. The
  // caller holds no mutex that a waiter waits with, nor one that is taken while
  // such a one is held.
  void WakeAll() ABSL_LOCKS_EXCLUDED(mu_);

  // Blocks until at least `count` threads wait, or are about to, that have not
  // been woken by WakeAll(). One whose condition holds counts until it has
  // noticed.
  void AwaitWaiters(int count) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Waiter;  // One wait; lives on the thread's stack.

  void Add(Waiter& waiter) ABSL_LOCKS_EXCLUDED(mu_);
  // The waiter's mutex is held, but may be released and taken again in here.
  void Remove(Waiter& waiter) ABSL_LOCKS_EXCLUDED(mu_);

  // Order: a waiter's mutex -> mu_.
  absl::Mutex mu_;
  absl::flat_hash_set<Waiter*> waiters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_CLOCK_WAITERS_H_
