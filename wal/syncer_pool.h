#ifndef SHALE_WAL_SYNCER_POOL_H_
#define SHALE_WAL_SYNCER_POOL_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Threads with a queue each, given work in turn: the syncers of HBase's FSHLog.
// On purpose nobody takes over from a busy neighbour. Hand() is for one thread.
class SyncerPool {
 public:
  // `turns` is how many tasks count as handed out before; it may wrap around.
  // REQUIRES: threads >= 1.
  explicit SyncerPool(int threads, uint64_t turns = 0);
  // Runs what was handed out, then joins.
  ~SyncerPool();

  void Hand(absl::AnyInvocable<void()> task);

 private:
  struct Syncer {
    void Run() ABSL_LOCKS_EXCLUDED(mu);
    bool HasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
      return stopping || !tasks.empty();
    }

    absl::Mutex mu;  // A leaf.
    std::deque<absl::AnyInvocable<void()>> tasks ABSL_GUARDED_BY(mu);
    bool stopping ABSL_GUARDED_BY(mu) = false;
    std::thread thread;
  };

  uint64_t turns_;
  std::vector<std::unique_ptr<Syncer>> syncers_;
};

}  // namespace shale

#endif  // SHALE_WAL_SYNCER_POOL_H_
