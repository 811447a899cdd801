// An executor of a fixed number of threads.
#ifndef SHALE_BASE_THREAD_POOL_EXECUTOR_H_
#define SHALE_BASE_THREAD_POOL_EXECUTOR_H_

#include <deque>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/timer_queue.h"

namespace shale {

// Starts tasks in the order in which they were scheduled or their timers came
// due, `threads` at a time; one more thread waits for the timers. A task that
// blocks keeps its thread. Thread-safe.
class ThreadPoolExecutor final : public Executor {
 public:
  // `clock` must outlive the executor. REQUIRES: threads > 0.
  ThreadPoolExecutor(int threads, Clock& clock);

  // Runs all tasks that are scheduled, also those that they schedule in turn,
  // and joins the threads. Drops the timers that have not come due, and those
  // set from then on, destroying their tasks unrun. Not to be called by a task.
  ~ThreadPoolExecutor() override;

  void Schedule(absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  TimerId ScheduleAt(absl::Duration deadline,
                     absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool Cancel(TimerId timer) override ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void RunTasks() ABSL_LOCKS_EXCLUDED(mu_);
  void WatchTimers() ABSL_LOCKS_EXCLUDED(mu_);

  Clock& clock_;
  absl::Mutex mu_;  // A leaf: only the clock's own lock is taken under it.
  std::deque<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);
  TimerQueue timers_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread timer_thread_;
  std::vector<std::thread> workers_;
};

}  // namespace shale

#endif  // SHALE_BASE_THREAD_POOL_EXECUTOR_H_
