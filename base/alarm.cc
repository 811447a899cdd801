#include "shale/base/alarm.h"

#include <algorithm>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace shale {

struct Alarm::State {
  State(Executor& executor, absl::AnyInvocable<absl::Duration()> look)
      : executor(executor), look(std::move(look)) {}

  Executor& executor;
  // By the task that set `looking`, and by none once `stopped` is set.
  absl::AnyInvocable<absl::Duration()> look;

  absl::Mutex mu;  // Order: mu -> the executor's locks.
  // When the next look is due; infinite if none is.
  absl::Duration due ABSL_GUARDED_BY(mu) = absl::InfiniteDuration();
  TimerId timer ABSL_GUARDED_BY(mu) = {};
  bool looking ABSL_GUARDED_BY(mu) = false;
  bool stopped ABSL_GUARDED_BY(mu) = false;
};

Alarm::Alarm(Executor& executor, absl::AnyInvocable<absl::Duration()> look)
    : state_(std::make_shared<State>(executor, std::move(look))) {}

Alarm::~Alarm() {
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

void Alarm::RingBy(absl::Duration when) { RingBy(state_, when); }

void Alarm::RingBy(const std::shared_ptr<State>& state, absl::Duration when) {
  absl::MutexLock lock(&state->mu);
  if (state->stopped || when >= state->due) return;
  state->due = when;
  if (state->looking) return;  // The end of that look sets the timer.
  state->executor.Cancel(state->timer);
  state->timer = state->executor.ScheduleAt(when, [state] { Look(state); });
}

void Alarm::Look(const std::shared_ptr<State>& state) {
  {
    absl::MutexLock lock(&state->mu);
    if (state->stopped) return;
    if (state->looking) {
      // A timer that was too late to be cancelled. The look under way may have
      // taken the time before this one's, so another follows.
      state->due = -absl::InfiniteDuration();
      return;
    }
    state->looking = true;
    state->due = absl::InfiniteDuration();
  }
  const absl::Duration next = state->look();
  absl::Duration due;
  {
    absl::MutexLock lock(&state->mu);
    state->looking = false;
    due = std::min(next, std::exchange(state->due, absl::InfiniteDuration()));
  }
  RingBy(state, due);
}

}  // namespace shale
