#ifndef SHALE_REGION_CLOSE_GATE_H_
#define SHALE_REGION_CLOSE_GATE_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Lets operations in until it is closed, and closes only when all of them have
// left. An operation is no thread: it may leave on another one. Thread-safe.
class CloseGate {
 public:
  // False once closing has begun. Every true Enter() is followed by one
  // Leave().
  bool Enter() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    if (closed_) return false;
    ++inside_;
    return true;
  }

  // A further entry of an operation that is inside, for a part of it that may
  // outlast the rest; allowed while the gate closes. Also ends with a Leave().
  void EnterAgain() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    ++inside_;
  }

  // As Enter(), but also while closing waits for those inside: for what helps
  // them to leave.
  bool EnterUnlessShut() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    if (closed_ && inside_ == 0) return false;
    ++inside_;
    return true;
  }

  void Leave() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    --inside_;
  }

  // Lets nobody in from here on and waits until nobody is inside. True for the
  // one call that closed it.
  bool Close() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    const bool first = !closed_;
    closed_ = true;
    mu_.Await(absl::Condition(
        +[](int64_t* inside) { return *inside == 0; }, &inside_));
    return first;
  }

  bool closed() const ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return closed_;
  }

 private:
  mutable absl::Mutex mu_;  // A leaf.
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  int64_t inside_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_CLOSE_GATE_H_
