// Where asynchronous work runs.
#ifndef SHALE_BASE_EXECUTOR_H_
#define SHALE_BASE_EXECUTOR_H_

#include <cstdint>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Names one call of ScheduleAt. An executor gives out 1, 2, 3, ...; TimerId()
// names none.
enum class TimerId : int64_t {};

// Runs tasks, soon or at a time, possibly several at once and in any order. No
// call runs a task or destroys one while it holds a lock. Thread-safe; tasks
// may call all of it. A seam: ThreadPoolExecutor, DeterministicExecutor.
class Executor {
 public:
  virtual ~Executor() = default;

  // Runs `task` as soon as possible, never within the call.
  virtual void Schedule(absl::AnyInvocable<void()> task) = 0;

  // Runs `task` once, as soon as possible after Clock::Monotonic() >=
  // `deadline` on the executor's clock. A past deadline is as good as now.
  virtual TimerId ScheduleAt(absl::Duration deadline,
                             absl::AnyInvocable<void()> task) = 0;

  // Whether the task of `timer` will not run because of this call, which then
  // has destroyed it. False if it has run, runs, is about to run, was cancelled
  // before, or never was.
  virtual bool Cancel(TimerId timer) = 0;
};

}  // namespace shale

#endif  // SHALE_BASE_EXECUTOR_H_
