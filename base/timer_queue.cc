#include "shale/base/timer_queue.h"

namespace shale {

TimerId TimerQueue::Add(absl::Duration deadline, Task task) {
  const TimerId timer{++last_id_};
  tasks_.emplace(Key(deadline, timer), std::move(task));
  deadlines_.emplace(timer, deadline);
  return timer;
}

TimerQueue::Task TimerQueue::Remove(TimerId timer) {
  const auto deadline = deadlines_.find(timer);
  if (deadline == deadlines_.end()) return nullptr;
  Task task = std::move(tasks_.extract(Key(deadline->second, timer)).mapped());
  deadlines_.erase(deadline);
  return task;
}

TimerQueue::Task TimerQueue::PopDue(absl::Duration now) {
  if (NextDeadline() > now || tasks_.empty()) return nullptr;
  return Remove(tasks_.begin()->first.second);
}

absl::Duration TimerQueue::NextDeadline() const {
  return tasks_.empty() ? absl::InfiniteDuration()
                        : tasks_.begin()->first.first;
}

}  // namespace shale
