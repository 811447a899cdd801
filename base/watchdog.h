#ifndef SHALE_BASE_WATCHDOG_H_
#define SHALE_BASE_WATCHDOG_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Looks at something again and again, each time when the last look said, on the
// threads of an executor.
class Watchdog {
 public:
  // `look` gives the monotonic time of the next look, which must lie in the
  // future. `executor` outlives the watchdog.
  Watchdog(Executor& executor, absl::Duration first,
           absl::AnyInvocable<absl::Duration()> look);
  // Ends it; waits for a look under way.
  ~Watchdog();

 private:
  struct State;

  static void Schedule(const std::shared_ptr<State>& state,
                       absl::Duration when);
  static void Look(const std::shared_ptr<State>& state);

  // Shared with the executor's task, which may end after the watchdog.
  const std::shared_ptr<State> state_;
};

}  // namespace shale

#endif  // SHALE_BASE_WATCHDOG_H_
