#ifndef SHALE_FILESYSTEM_MEMORY_SPACE_H_
#define SHALE_FILESYSTEM_MEMORY_SPACE_H_

#include <cstdint>
#include <limits>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The bytes that the files of a MemoryFileSystem take up, and may. Thread-safe.
class MemorySpace {
 public:
  // Less than what is in use makes every Take fail until enough was given back.
  void SetCapacity(uint64_t bytes) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    capacity_ = bytes;
  }

  uint64_t used() const ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return used_;
  }

  // False, taking nothing, if there isn't so much.
  bool Take(uint64_t bytes) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    if (used_ > capacity_ || bytes > capacity_ - used_) return false;
    used_ += bytes;
    return true;
  }

  // REQUIRES: was taken.
  void Give(uint64_t bytes) ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    used_ -= bytes;
  }

 private:
  mutable absl::Mutex mu_;  // A leaf.
  uint64_t capacity_ ABSL_GUARDED_BY(mu_) =
      std::numeric_limits<uint64_t>::max();
  uint64_t used_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MEMORY_SPACE_H_
