#ifndef SHALE_MVCC_ORDERED_CALLBACKS_H_
#define SHALE_MVCC_ORDERED_CALLBACKS_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Runs callbacks one at a time, in the order in which they were added, with no
// lock held, in whichever thread gets to it first. Running and adding are apart
// so that the order can be fixed under a lock and the work done outside it.
//
// Thread-safe. It must not go while a Run() is on, so a callback may not be
// what lets its owner destroy it.
class OrderedCallbacks {
 public:
  // So many a thread runs before it lets another go on in its place: it may
  // have a wait of its own to begin.
  static constexpr size_t kTurn = 256;

  // May be called with any lock held but those that callbacks take.
  void Add(absl::AnyInvocable<void()> callback) ABSL_LOCKS_EXCLUDED(mu_);

  // Runs everything that was added, unless a thread is at it already, be it
  // this one further up its stack: then that thread does, so that order is kept
  // and the stack doesn't grow. The thread that runs goes on until nothing is
  // left, or until its turn is over and another thread calls this: that one
  // waits for the callback at hand and goes on. So nobody is kept for as long
  // as others add, and nothing is left behind.
  void Run() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Takes the turn; false if there is nothing to do, or somebody to do it.
  bool TakeTurn() ABSL_LOCKS_EXCLUDED(mu_);
  // What is waiting. Without anything the turn is given back.
  std::deque<absl::AnyInvocable<void()>> NextBatch() ABSL_LOCKS_EXCLUDED(mu_);
  // Runs `batch`, of which `ran` counts the callbacks. False if the turn was
  // given to another thread, and with it what was left.
  bool RunBatch(std::deque<absl::AnyInvocable<void()>> batch, size_t& ran)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Innermost: nothing else is taken while it is held.
  absl::Mutex mu_;
  std::deque<absl::AnyInvocable<void()>> waiting_ ABSL_GUARDED_BY(mu_);
  bool running_ ABSL_GUARDED_BY(mu_) = false;
  std::thread::id runner_ ABSL_GUARDED_BY(mu_);
  // Whether that thread's turn is over.
  bool over_ ABSL_GUARDED_BY(mu_) = false;
  // Whether a thread waits to go on. Changed under mu_; the runner looks
  // without it, and then takes it.
  std::atomic<bool> relieved_ = false;
};

}  // namespace shale

#endif  // SHALE_MVCC_ORDERED_CALLBACKS_H_
