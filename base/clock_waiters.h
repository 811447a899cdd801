// The threads that wait in a clock with a mutex of their own.
#ifndef SHALE_BASE_CLOCK_WAITERS_H_
#define SHALE_BASE_CLOCK_WAITERS_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"

namespace shale {

// Lets a clock make its waiting threads look at their conditions again. abseil
// evaluates the conditions of a mutex only when some thread releases it, and
// time that has passed is not among the reasons why one would: so WakeAll()
// takes and releases the mutex of each waiter.
//
// Thread-safe. Used by each implementation of Clock as
//
//   ClockWaiters::Waiter waiter(mu);  // mu is held
//   waiters.Add(waiter);
//   mu.Await(...a condition that also looks at the time...);
//   waiters.Remove(waiter);           // then look at the caller's condition
class ClockWaiters {
 public:
  // One waiting thread; lives on its stack.
  class Waiter {
   public:
    explicit Waiter(absl::Mutex& mu) : mu_(mu) {}

   private:
    friend class ClockWaiters;
    absl::Mutex& mu_;
    int wakers_ = 0;  // Of them WakeAll() is about to take mu_. Guarded by the
                      // ClockWaiters' mu_.
  };

  // The waiter's mutex is held. Whatever the condition of the wait looks at
  // must be read after this, so that no WakeAll() is missed.
  void Add(Waiter& waiter) ABSL_LOCKS_EXCLUDED(mu_);

  // The waiter's mutex is held, but may be released and taken again in here:
  // what was true before the call need not be any more.
  void Remove(Waiter& waiter) ABSL_LOCKS_EXCLUDED(mu_);

  // Makes every waiter evaluate its condition once more. The caller holds no
  // mutex that a waiter waits with, and none that is taken while holding one.
  void WakeAll() ABSL_LOCKS_EXCLUDED(mu_);

  // Blocks until at least `count` threads wait.
  void AwaitWaiters(int count) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Order: a waiter's mutex -> mu_.
  absl::Mutex mu_;
  absl::flat_hash_set<Waiter*> waiters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_CLOCK_WAITERS_H_
