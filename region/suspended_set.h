#ifndef SHALE_REGION_SUSPENDED_SET_H_
#define SHALE_REGION_SUSPENDED_SET_H_

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Operations that wait for something. Several may want to carry one on: what it
// waits for, its deadline, the end of everything. Whoever takes it out does. T
// has a member `deadline`, a monotonic time. Thread-safe.
template <typename T>
class SuspendedSet {
 public:
  using Ptr = std::shared_ptr<T>;
  struct Expired {
    std::vector<Ptr> late;
    // The earliest deadline of those that are left; infinite if none is.
    absl::Duration next;
  };

  // What Add came to: not added, as the set is closed; added; and added with
  // the earliest deadline of all, so that TakeExpired is due then.
  enum class Added { kNot, kAdded, kAddedFirst };
  Added Add(const Ptr& operation) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    if (!closed_.ok()) return Added::kNot;
    operations_.insert(operation);
    if (operation->deadline >= next_expiry_) return Added::kAdded;
    next_expiry_ = operation->deadline;
    return Added::kAddedFirst;
  }

  // Whether it was there, so that the caller now carries it on.
  bool Take(const Ptr& operation) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return operations_.erase(operation) > 0;
  }

  // Takes out those whose deadline is not after `now`.
  Expired TakeExpired(absl::Duration now) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    Expired expired{{}, absl::InfiniteDuration()};
    for (const Ptr& operation : operations_) {
      if (operation->deadline <= now) {
        expired.late.push_back(operation);
      } else {
        expired.next = std::min(expired.next, operation->deadline);
      }
    }
    for (const Ptr& operation : expired.late) operations_.erase(operation);
    next_expiry_ = expired.next;
    return expired;
  }

  // Takes out all, and adds none from here on. The first `why` stays.
  std::vector<Ptr> Close(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    if (closed_.ok()) closed_ = why;
    std::vector<Ptr> all(operations_.begin(), operations_.end());
    operations_.clear();
    return all;
  }
  // OK while it isn't closed.
  absl::Status closed() const ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return closed_;
  }

  bool empty() const ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return operations_.empty();
  }

 private:
  mutable absl::Mutex mu_;  // A leaf.
  absl::flat_hash_set<Ptr> operations_ ABSL_GUARDED_BY(mu_);
  absl::Status closed_ ABSL_GUARDED_BY(mu_);
  // No deadline in the set is earlier.
  absl::Duration next_expiry_ ABSL_GUARDED_BY(mu_) = absl::InfiniteDuration();
};

}  // namespace shale

#endif  // SHALE_REGION_SUSPENDED_SET_H_
