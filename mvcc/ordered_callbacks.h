#ifndef SHALE_MVCC_ORDERED_CALLBACKS_H_
#define SHALE_MVCC_ORDERED_CALLBACKS_H_

#include <deque>

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
  // May be called with any lock held but those that callbacks take.
  void Add(absl::AnyInvocable<void()> callback) ABSL_LOCKS_EXCLUDED(mu_);

  // Runs everything that was added, unless a thread is at it already, be it
  // this one further up its stack: then that thread does, so that order is kept
  // and the stack doesn't grow. The thread that runs goes on until nothing is
  // left.
  void Run() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Innermost: nothing else is taken while it is held.
  absl::Mutex mu_;
  std::deque<absl::AnyInvocable<void()>> waiting_ ABSL_GUARDED_BY(mu_);
  bool running_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_MVCC_ORDERED_CALLBACKS_H_
