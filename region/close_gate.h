#ifndef SHALE_REGION_CLOSE_GATE_H_
#define SHALE_REGION_CLOSE_GATE_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Lets operations in until it is closed, and closes only when all of them have
// left. An operation is no thread: it may leave on another one. Thread-safe;
// only closing takes a lock.
class CloseGate {
 public:
  // False once closing has begun. Every true Enter() is followed by one
  // Leave().
  bool Enter() {
    uint64_t state = state_.load(std::memory_order_relaxed);
    do {
      if (state & kClosed) return false;
    } while (!state_.compare_exchange_weak(state, state + kOne,
                                           std::memory_order_acquire,
                                           std::memory_order_relaxed));
    return true;
  }

  // A further entry of an operation that is inside, for a part of it that may
  // outlast the rest; allowed while the gate closes. Also ends with a Leave().
  void EnterAgain() { state_.fetch_add(kOne, std::memory_order_relaxed); }

  // As Enter(), but also while closing waits for those inside: for what helps
  // them to leave.
  bool EnterUnlessShut() {
    uint64_t state = state_.load(std::memory_order_relaxed);
    do {
      if (state == kClosed) return false;
    } while (!state_.compare_exchange_weak(state, state + kOne,
                                           std::memory_order_acquire,
                                           std::memory_order_relaxed));
    return true;
  }

  void Leave() ABSL_LOCKS_EXCLUDED(mu_) {
    const uint64_t before = state_.fetch_sub(kOne, std::memory_order_acq_rel);
    if (before == (kOne | kClosed)) Shut();
  }

  // Lets nobody in from here on and waits until nobody is inside. True for the
  // one call that closed it.
  bool Close() ABSL_LOCKS_EXCLUDED(mu_) {
    const uint64_t before = state_.fetch_or(kClosed, std::memory_order_acq_rel);
    if (before == 0) Shut();
    absl::MutexLock lock(&mu_, absl::Condition(&shut_));
    return (before & kClosed) == 0;
  }

  bool closed() const {
    return (state_.load(std::memory_order_acquire) & kClosed) != 0;
  }

 private:
  static constexpr uint64_t kClosed = 1;
  static constexpr uint64_t kOne = 2;

  // By the last to leave a gate that closes, or by the call that closes an
  // empty one: once, as nobody enters after it.
  void Shut() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    shut_ = true;
  }

  // How many are inside, times kOne, and whether it is closed. Each Leave
  // releases, and the last one acquires: what they did comes before Shut.
  std::atomic<uint64_t> state_ = 0;
  absl::Mutex mu_;  // A leaf.
  bool shut_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_REGION_CLOSE_GATE_H_
