#include "shale/base/testing/deterministic_executor.h"

#include <utility>

namespace shale {

void DeterministicExecutor::Schedule(absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  tasks_.push_back(std::move(task));
}

TimerId DeterministicExecutor::ScheduleAt(absl::Duration deadline,
                                          absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  return timers_.Add(deadline, std::move(task));
}

bool DeterministicExecutor::Cancel(TimerId timer) {
  absl::AnyInvocable<void()> task;  // Destroyed after the lock is released.
  absl::MutexLock lock(&mu_);
  task = timers_.Remove(timer);
  return task != nullptr;
}

bool DeterministicExecutor::RunOne() {
  absl::AnyInvocable<void()> task;
  {
    absl::MutexLock lock(&mu_);
    while (auto due = timers_.PopDue(clock_.Monotonic())) {
      tasks_.push_back(std::move(due));
    }
    if (tasks_.empty()) return false;
    std::swap(tasks_[random_.Uniform(tasks_.size())], tasks_.back());
    task = std::move(tasks_.back());
    tasks_.pop_back();
  }
  task();
  return true;
}

void DeterministicExecutor::RunUntilIdle() {
  while (RunOne()) {
  }
}

bool DeterministicExecutor::AdvanceToNextTimer() {
  absl::Duration deadline;
  {
    absl::MutexLock lock(&mu_);
    deadline = timers_.NextDeadline();
  }
  if (deadline == absl::InfiniteDuration()) return false;
  clock_.AdvanceTo(deadline);
  return true;
}

}  // namespace shale
