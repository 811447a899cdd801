#ifndef SHALE_FILESYSTEM_PENDING_CALLS_H_
#define SHALE_FILESYSTEM_PENDING_CALLS_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The calls that a file system has passed on to another and that have not come
// back: its destructor waits for them. Thread-safe.
class PendingCalls {
 public:
  ~PendingCalls() {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](int64_t* pending) { return *pending == 0; }, &pending_));
  }

  // `done`, counted as a pending call until it has returned.
  template <typename Done>
  auto Counted(Done done) {
    return [done = std::move(done), pending = Pending(this)](
               auto result) mutable { done(std::move(result)); };
  }

 private:
  struct End {
    void operator()(PendingCalls* calls) const { calls->Add(-1); }
  };

  static std::unique_ptr<PendingCalls, End> Pending(PendingCalls* calls) {
    calls->Add(1);
    return std::unique_ptr<PendingCalls, End>(calls);
  }

  void Add(int64_t change) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    pending_ += change;
  }

  absl::Mutex mu_;  // A leaf.
  int64_t pending_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_PENDING_CALLS_H_
