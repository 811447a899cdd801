#ifndef SHALE_BASE_ALARM_H_
#define SHALE_BASE_ALARM_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Looks at something, one look at a time, on the threads of an executor,
// whenever the earliest of the times has come that it was asked for: one timer
// for any number of deadlines, and none while there is no deadline.
// Thread-safe.
class Alarm {
 public:
  // `look` gives the monotonic time of the next look, which is infinite if it
  // knows of none. `executor` outlives the alarm. No look before RingBy().
  Alarm(Executor& executor, absl::AnyInvocable<absl::Duration()> look);
  // Ends it; waits for a look under way. Not to be called within a look.
  ~Alarm();

  // A look begins as soon as possible after `when` (monotonic), or earlier.
  // Takes the executor's locks; may be called within a look.
  void RingBy(absl::Duration when);

 private:
  struct State;

  static void RingBy(const std::shared_ptr<State>& state, absl::Duration when);
  static void Look(const std::shared_ptr<State>& state);

  // Shared with the executor's tasks, which may end after the alarm.
  const std::shared_ptr<State> state_;
};

}  // namespace shale

#endif  // SHALE_BASE_ALARM_H_
