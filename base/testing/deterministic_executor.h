// An executor that a seed drives, in the thread of the test.
#ifndef SHALE_BASE_TESTING_DETERMINISTIC_EXECUTOR_H_
#define SHALE_BASE_TESTING_DETERMINISTIC_EXECUTOR_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"
#include "shale/base/random.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/timer_queue.h"

namespace shale {

// Runs nothing by itself: RunOne() picks one of the tasks that could run now,
// each as likely as the others. One seed gives one order, and many seeds give
// the orders that threads might. Tasks that have not run are destroyed with it.
class DeterministicExecutor final : public Executor {
 public:
  // `clock` must outlive the executor.
  DeterministicExecutor(ManualClock& clock, uint64_t seed)
      : clock_(clock), random_(seed) {}

  void Schedule(absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  TimerId ScheduleAt(absl::Duration deadline,
                     absl::AnyInvocable<void()> task) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool Cancel(TimerId timer) override ABSL_LOCKS_EXCLUDED(mu_);

  // Runs one task in the calling thread: one that is scheduled, or whose time
  // has come. False if there is none.
  bool RunOne() ABSL_LOCKS_EXCLUDED(mu_);

  // Runs tasks until none is left that could run now. Time stands still.
  void RunUntilIdle() ABSL_LOCKS_EXCLUDED(mu_);

  // Advances the clock to the next timer's deadline, without running it. False
  // if no timer is set.
  bool AdvanceToNextTimer() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  ManualClock& clock_;
  absl::Mutex mu_;  // A leaf.
  Random random_ ABSL_GUARDED_BY(mu_);
  std::vector<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);
  TimerQueue timers_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_TESTING_DETERMINISTIC_EXECUTOR_H_
