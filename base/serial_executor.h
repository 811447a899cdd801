// One task at a time, in order, on the threads of another executor.
#ifndef SHALE_BASE_SERIAL_EXECUTOR_H_
#define SHALE_BASE_SERIAL_EXECUTOR_H_

#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Tasks run in the order in which they were scheduled or came due, each after
// the one before has returned, whose effects it sees: state that only tasks of
// one SerialExecutor touch needs no lock. Many may share a base; between two
// tasks of one, the others get their turn.
class SerialExecutor final : public Executor {
 public:
  // `base` must outlive this object.
  explicit SerialExecutor(Executor& base) : base_(base) {}

  // Cancels the timers and blocks until the tasks that are scheduled, and those
  // that they schedule, have run: the base must still run tasks. Not to be
  // called by a task of this executor.
  ~SerialExecutor() override;

  void Schedule(absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  // On the clock of the base.
  TimerId ScheduleAt(absl::Duration deadline,
                     absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool Cancel(TimerId timer) override ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Enqueue(absl::AnyInvocable<void()> task)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void RunFirst() ABSL_LOCKS_EXCLUDED(mu_);
  void OnTimer(TimerId timer, absl::AnyInvocable<void()> task)
      ABSL_LOCKS_EXCLUDED(mu_);
  void CancelInBase(TimerId base_timer) ABSL_LOCKS_EXCLUDED(mu_);

  Executor& base_;
  absl::Mutex mu_;  // Order: mu_ -> the base's lock.
  // The first is running or about to. The base holds one RunFirst() for it.
  std::deque<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);
  int64_t last_timer_ ABSL_GUARDED_BY(mu_) = 0;
  // This object's timers that have not come due, and what they are to the base.
  absl::flat_hash_map<TimerId, TimerId> timers_ ABSL_GUARDED_BY(mu_);
  // How many OnTimer() the base still holds or runs.
  int64_t timers_in_base_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_BASE_SERIAL_EXECUTOR_H_
