#include "shale/base/clock.h"

#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <thread>

#include "absl/base/call_once.h"
#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "shale/base/check.h"
#include "shale/base/clock_waiters.h"

namespace shale {
namespace {

// By default Linux may end a sleep 50 microseconds late, to save wake-ups.
void MakeTimersOfThisThreadExact() {
  thread_local const int exact = prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  static_cast<void>(exact);  // Where that is refused, waits just end later.
}

// Blocks until the wall clock has been set since the last call; false if the
// kernel cannot tell.
bool AwaitStep(int timer) {
  itimerspec never = {};
  never.it_value.tv_sec = std::numeric_limits<time_t>::max();
  uint64_t expirations;
  // Both calls fail with ECANCELED after a step: see timerfd_create(2).
  while (
      timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
                      &never, nullptr) == 0 &&
      (read(timer, &expirations, sizeof(expirations)) >= 0 || errno == EINTR)) {
  }
  return errno == ECANCELED;
}

class MachineClock final : public Clock {
 public:
  absl::Time Now() override { return absl::Now(); }

  absl::Duration Monotonic() override {
    timespec now;
    SHALE_CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0) << errno;
    return absl::DurationFromTimespec(now);
  }

  bool AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                  absl::Duration deadline) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    absl::call_once(watching_, [this] { WatchForSteps(); });
    MakeTimersOfThisThreadExact();
    // abseil turns the time left into a wall time to wait for. If somebody sets
    // the wall clock, that is the wrong one: the watcher then wakes us.
    return waiters_.AwaitUntil(
        mu, condition, [this, deadline] { return deadline - Monotonic(); },
        [&mu](const absl::Condition& wake, absl::Duration left)
            ABSL_NO_THREAD_SAFETY_ANALYSIS {
              mu.AwaitWithTimeout(wake, left);
            });
  }

  void SleepUntil(absl::Duration deadline) override {
    if (deadline <= Monotonic()) return;
    MakeTimersOfThisThreadExact();
    const timespec until = absl::ToTimespec(deadline);
    int error;
    do {
      error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    } while (error == EINTR);
    SHALE_CHECK(error == 0) << error;
  }

  int64_t WaitForNextTick(absl::Duration tick) override {
    const int64_t next = TickNumber(Monotonic(), tick) + 1;
    SleepUntil(next * tick);
    return next;
  }

 private:
  // Starts a thread that blocks in the kernel until somebody sets the wall
  // clock. Without a timer to watch by, waits are only as good as abseil's.
  void WatchForSteps() {
    const int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer < 0) return;
    std::thread([this, timer] {
      while (AwaitStep(timer)) waiters_.WakeAll();
      close(timer);
    }).detach();
  }

  ClockWaiters waiters_;
  absl::once_flag watching_;
};

}  // namespace

Clock& RealClock() {
  // Never destroyed: threads may wait in it until the process ends.
  static MachineClock& clock = *new MachineClock();
  return clock;
}

}  // namespace shale
