#include "shale/base/serial_executor.h"

#include <utility>

namespace shale {

SerialExecutor::~SerialExecutor() {
  absl::flat_hash_map<TimerId, TimerId> timers;
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
    timers.swap(timers_);
  }
  for (const auto& [timer, base_timer] : timers) CancelInBase(base_timer);
  absl::MutexLock lock(&mu_);
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return tasks_.empty() && timers_in_base_ == 0;
  };
  mu_.Await(absl::Condition(&idle));
}

void SerialExecutor::Schedule(absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  Enqueue(std::move(task));
}

TimerId SerialExecutor::ScheduleAt(absl::Duration deadline,
                                   absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  const TimerId timer{++last_timer_};
  if (stopping_) return timer;
  ++timers_in_base_;
  timers_[timer] = base_.ScheduleAt(
      deadline, [this, timer, task = std::move(task)]() mutable {
        OnTimer(timer, std::move(task));
      });
  return timer;
}

bool SerialExecutor::Cancel(TimerId timer) {
  TimerId base_timer;
  {
    absl::MutexLock lock(&mu_);
    const auto found = timers_.find(timer);
    if (found == timers_.end()) return false;
    base_timer = found->second;
    timers_.erase(found);  // From here on OnTimer() would drop the task.
  }
  CancelInBase(base_timer);
  return true;
}

void SerialExecutor::CancelInBase(TimerId base_timer) {
  if (!base_.Cancel(base_timer)) return;
  absl::MutexLock lock(&mu_);
  --timers_in_base_;
}

void SerialExecutor::OnTimer(TimerId timer, absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  if (timers_.erase(timer) > 0) Enqueue(std::move(task));
  --timers_in_base_;
}

void SerialExecutor::Enqueue(absl::AnyInvocable<void()> task) {
  tasks_.push_back(std::move(task));
  if (tasks_.size() == 1) base_.Schedule([this] { RunFirst(); });
}

void SerialExecutor::RunFirst() {
  {
    absl::AnyInvocable<void()> task;
    {
      absl::MutexLock lock(&mu_);
      task = std::move(tasks_.front());
    }
    task();
  }
  absl::MutexLock lock(&mu_);
  tasks_.pop_front();
  if (!tasks_.empty()) base_.Schedule([this] { RunFirst(); });
}

}  // namespace shale
