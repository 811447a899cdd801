#include "shale/base/watchdog.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace shale {

struct Watchdog::State {
  State(Executor& executor, absl::AnyInvocable<absl::Duration()> look)
      : executor(executor), look(std::move(look)) {}

  Executor& executor;
  // By one task at a time, and not once `stopped` is set and `looking` isn't.
  absl::AnyInvocable<absl::Duration()> look;

  absl::Mutex mu;  // Order: mu -> the executor's locks.
  TimerId timer ABSL_GUARDED_BY(mu) = {};
  bool looking ABSL_GUARDED_BY(mu) = false;
  bool stopped ABSL_GUARDED_BY(mu) = false;
};

Watchdog::Watchdog(Executor& executor, absl::Duration first,
                   absl::AnyInvocable<absl::Duration()> look)
    : state_(std::make_shared<State>(executor, std::move(look))) {
  Schedule(state_, first);
}

Watchdog::~Watchdog() {
  TimerId timer;
  {
    absl::MutexLock lock(&state_->mu);
    state_->stopped = true;
    state_->mu.Await(absl::Condition(
        +[](bool* looking) { return !*looking; }, &state_->looking));
    timer = state_->timer;
  }
  // If it is too late for that, the task finds itself stopped.
  state_->executor.Cancel(timer);
}

void Watchdog::Schedule(const std::shared_ptr<State>& state,
                        absl::Duration when) {
  absl::MutexLock lock(&state->mu);
  state->looking = false;
  if (state->stopped) return;
  state->timer = state->executor.ScheduleAt(when, [state] { Look(state); });
}

void Watchdog::Look(const std::shared_ptr<State>& state) {
  {
    absl::MutexLock lock(&state->mu);
    if (state->stopped) return;
    state->looking = true;
  }
  const absl::Duration next = state->look();
  Schedule(state, next);
}

}  // namespace shale
