#include "shale/base/thread_pool_executor.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {

ThreadPoolExecutor::ThreadPoolExecutor(int threads, Clock& clock)
    : clock_(clock) {
  SHALE_CHECK(threads > 0) << threads;
  timer_thread_ = std::thread([this] { WatchTimers(); });
  for (int i = 0; i < threads; ++i) {
    workers_.emplace_back([this] { RunTasks(); });
  }
}

ThreadPoolExecutor::~ThreadPoolExecutor() {
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
  }
  timer_thread_.join();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPoolExecutor::Schedule(absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  tasks_.push_back(std::move(task));
}

TimerId ThreadPoolExecutor::ScheduleAt(absl::Duration deadline,
                                       absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  return timers_.Add(deadline, std::move(task));
}

bool ThreadPoolExecutor::Cancel(TimerId timer) {
  absl::AnyInvocable<void()> task;  // Destroyed after the lock is released.
  absl::MutexLock lock(&mu_);
  task = timers_.Remove(timer);
  return task != nullptr;
}

void ThreadPoolExecutor::RunTasks() {
  const auto task_or_end = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !tasks_.empty() || stopping_;
  };
  while (true) {
    absl::AnyInvocable<void()> task;
    {
      absl::MutexLock lock(&mu_);
      mu_.Await(absl::Condition(&task_or_end));
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

void ThreadPoolExecutor::WatchTimers() {
  absl::MutexLock lock(&mu_);
  while (!stopping_) {
    while (auto task = timers_.PopDue(clock_.Monotonic())) {
      tasks_.push_back(std::move(task));
    }
    const absl::Duration deadline = timers_.NextDeadline();
    const auto earlier_or_end =
        [this, deadline]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
          return timers_.NextDeadline() < deadline || stopping_;
        };
    clock_.AwaitUntil(mu_, absl::Condition(&earlier_or_end), deadline);
  }
}

}  // namespace shale
