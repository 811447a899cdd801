#include "shale/base/clock.h"

#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <limits>
#include <thread>

#include "absl/base/call_once.h"
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

class MachineClock final : public Clock {
 public:
  absl::Time Now() override { return absl::Now(); }

  absl::Duration Monotonic() override {
    timespec now;
    SHALE_CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0) << errno;
    return absl::DurationFromTimespec(now);
  }

  bool AwaitUntil(absl::Mutex& mu, const absl::Condition& condition,
                  absl::Duration deadline) override {
    absl::call_once(watching_, [this] { WatchForSteps(); });
    MakeTimersOfThisThreadExact();
    while (true) {
      if (condition.Eval()) return true;
      ClockWaiters::Waiter waiter(mu);
      waiters_.Add(waiter);
      // abseil turns this into a wait for a wall time. If the wall clock is
      // stepped, that is no longer the right one, and the loop starts over.
      const int64_t steps = steps_.load(std::memory_order_relaxed);
      const absl::Duration left = deadline - Monotonic();
      if (left > absl::ZeroDuration()) {
        const auto wake = [this, &condition, steps] {
          return condition.Eval() ||
                 steps_.load(std::memory_order_relaxed) != steps;
        };
        mu.AwaitWithTimeout(absl::Condition(&wake), left);
      }
      waiters_.Remove(waiter);
      if (Monotonic() >= deadline) return condition.Eval();
    }
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
      itimerspec never = {};
      never.it_value.tv_sec = std::numeric_limits<time_t>::max();
      while (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
                             &never, nullptr) == 0) {
        uint64_t expirations;
        const ssize_t got = read(timer, &expirations, sizeof(expirations));
        if (got < 0 && errno == EINTR) continue;
        if (got >= 0 || errno != ECANCELED) break;
        // Relaxed: a waiter reads it under its mutex, which WakeAll takes next.
        steps_.fetch_add(1, std::memory_order_relaxed);
        waiters_.WakeAll();
      }
      close(timer);
    }).detach();
  }

  ClockWaiters waiters_;
  std::atomic<int64_t> steps_ = 0;  // How often the wall clock was set.
  absl::once_flag watching_;
};

}  // namespace

Clock& RealClock() {
  // Never destroyed: threads may wait in it until the process ends.
  static MachineClock& clock = *new MachineClock();
  return clock;
}

}  // namespace shale
