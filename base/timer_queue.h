// The tasks that an executor is to run at a time.
#ifndef SHALE_BASE_TIMER_QUEUE_H_
#define SHALE_BASE_TIMER_QUEUE_H_

#include <cstdint>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Ordered by deadline, then by age. Not thread-safe: the executor guards it,
// and destroys the tasks it gets back outside its lock.
class TimerQueue {
 public:
  using Task = absl::AnyInvocable<void()>;

  TimerId Add(absl::Duration deadline, Task task);

  // Takes out the task of `timer`; null if it is not here.
  Task Remove(TimerId timer);

  // Takes out the first task if its deadline is not after `now`, else null.
  Task PopDue(absl::Duration now);

  // The earliest deadline; infinite if there is none.
  absl::Duration NextDeadline() const;

 private:
  using Key = std::pair<absl::Duration, TimerId>;

  int64_t last_id_ = 0;
  std::map<Key, Task> tasks_;
  absl::flat_hash_map<TimerId, absl::Duration> deadlines_;
};

}  // namespace shale

#endif  // SHALE_BASE_TIMER_QUEUE_H_
