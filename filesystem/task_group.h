// The asynchronous calls of one file or file system, and the wait for them.
#ifndef SHALE_FILESYSTEM_TASK_GROUP_H_
#define SHALE_FILESYSTEM_TASK_GROUP_H_

#include <cstdint>
#include <map>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Runs tasks on an executor, several at a time and in any order. Can be waited
// for without a free thread of the executor: whoever waits runs what has not
// begun. So an object that owns a TaskGroup may be destroyed anywhere, in a
// task of its own too. Thread-safe.
class TaskGroup {
 public:
  // `executor` must outlive the group.
  explicit TaskGroup(Executor& executor);
  ~TaskGroup() { Join(); }
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void Run(absl::AnyInvocable<void()> task);
  // At that time of the executor's clock, or in a Join() before.
  void RunAt(absl::Duration deadline, absl::AnyInvocable<void()> task);

  // Returns once no task is left, not counting one in which it is called. The
  // caller holds no lock that a task takes.
  void Join();

 private:
  // Shared with the executor, which may come to a task that Join() has run when
  // the group is gone.
  struct Core {
    absl::Mutex mu;  // A leaf.
    uint64_t last ABSL_GUARDED_BY(mu) = 0;
    std::map<uint64_t, absl::AnyInvocable<void()>> waiting ABSL_GUARDED_BY(mu);
    absl::InlinedVector<std::thread::id, 4> running ABSL_GUARDED_BY(mu);
  };

  static uint64_t Add(Core& core, absl::AnyInvocable<void()> task);
  // Runs that task, or the oldest for 0, if it still waits; else false.
  static bool RunWaiting(Core& core, uint64_t task);

  Executor& executor_;
  const std::shared_ptr<Core> core_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TASK_GROUP_H_
