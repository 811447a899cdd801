#include "shale/base/clock.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/clock_waiters.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

const auto kNever = [] { return false; };
const auto kAlways = [] { return true; };

// What every clock promises, on one that runs by itself and one that is moved
// by a thread meanwhile.
class ClockTest : public testing::TestWithParam<bool> {
 protected:
  ClockTest() {
    if (IsReal()) return;
    mover_ = std::thread([this] {
      while (!stop_) manual_.Advance(absl::Microseconds(10));
    });
  }

  ~ClockTest() override {
    stop_ = true;
    if (mover_.joinable()) mover_.join();
  }

  static bool IsReal() { return GetParam(); }
  Clock& clock() { return IsReal() ? RealClock() : manual_; }

 private:
  ManualClock manual_;
  std::atomic<bool> stop_ = false;
  std::thread mover_;
};

INSTANTIATE_TEST_SUITE_P(All, ClockTest, testing::Bool(), [](const auto& info) {
  return info.param ? "Real" : "Manual";
});

TEST_P(ClockTest, MonotonicNeverGoesBack) {
  absl::Duration last = clock().Monotonic();
  for (int i = 0; i < 1000; ++i) {
    const absl::Duration now = clock().Monotonic();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST_P(ClockTest, SleepUntilEndsAtTheDeadlineAndNotBefore) {
  const absl::Duration deadline = clock().Monotonic() + absl::Milliseconds(2);
  clock().SleepUntil(deadline);
  EXPECT_GE(clock().Monotonic(), deadline);
}

TEST_P(ClockTest, SleepUntilAPastTimeReturns) {
  clock().SleepUntil(absl::ZeroDuration());
  clock().SleepUntil(-absl::InfiniteDuration());
}

TEST_P(ClockTest, AwaitUntilReturnsFalseAtTheDeadline) {
  absl::Mutex mu;
  absl::MutexLock lock(&mu);
  const absl::Duration deadline = clock().Monotonic() + absl::Milliseconds(2);
  EXPECT_FALSE(clock().AwaitUntil(mu, absl::Condition(&kNever), deadline));
  EXPECT_GE(clock().Monotonic(), deadline);
  mu.AssertHeld();
}

TEST_P(ClockTest, AwaitUntilAPastTimeOnlyEvaluatesTheCondition) {
  absl::Mutex mu;
  absl::MutexLock lock(&mu);
  const absl::Duration past = -absl::InfiniteDuration();
  EXPECT_FALSE(clock().AwaitUntil(mu, absl::Condition(&kNever), past));
  EXPECT_TRUE(clock().AwaitUntil(mu, absl::Condition(&kAlways), past));
}

TEST_P(ClockTest, AwaitUntilWakesWhenAnotherThreadMakesTheConditionTrue) {
  absl::Mutex mu;
  bool ready = false;
  std::thread setter([&mu, &ready] {
    absl::MutexLock lock(&mu);
    ready = true;
  });
  {
    absl::MutexLock lock(&mu);
    EXPECT_TRUE(clock().AwaitUntil(mu, absl::Condition(&ready),
                                   absl::InfiniteDuration()));
  }
  setter.join();
}

TEST_P(ClockTest, ATickEndsAtItsEdgeAndHasTheEdgesNumber) {
  constexpr absl::Duration kTick = absl::Milliseconds(1);
  for (int i = 0; i < 5; ++i) {
    const absl::Duration before = clock().Monotonic();
    const int64_t tick = clock().WaitForNextTick(kTick);
    EXPECT_GT(tick * kTick, before);
    EXPECT_LE(tick * kTick, before + kTick + absl::Milliseconds(100));
    EXPECT_GE(clock().Monotonic(), tick * kTick);
  }
}

// Threads of one mutex, each with its own condition and a short deadline, while
// the clock moves: nobody may miss a wake-up, and all mutexes die at once
// after.
TEST_P(ClockTest, ManyWaitersMissNoWakeUp) {
  for (int round = 0; round < 20; ++round) {
    struct Turn {
      absl::Mutex mu;
      int next ABSL_GUARDED_BY(mu) = 0;
    };
    auto turn = std::make_unique<Turn>();
    std::atomic<int> timeouts = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([this, &turn, &timeouts, t] {
        absl::MutexLock lock(&turn->mu);
        const auto mine = [&turn, t] {
          turn->mu.AssertHeld();
          return turn->next == t;
        };
        while (
            !clock().AwaitUntil(turn->mu, absl::Condition(&mine),
                                clock().Monotonic() + absl::Microseconds(20))) {
          ++timeouts;
        }
        ++turn->next;
      });
    }
    for (std::thread& thread : threads) thread.join();
    turn.reset();
  }
}

TEST(TickNumberTest, CountsWholeTicksFromZero) {
  constexpr absl::Duration kTick = absl::Milliseconds(1);
  EXPECT_EQ(TickNumber(absl::ZeroDuration(), kTick), 0);
  EXPECT_EQ(TickNumber(absl::Microseconds(999), kTick), 0);
  EXPECT_EQ(TickNumber(absl::Milliseconds(1), kTick), 1);
  EXPECT_EQ(TickNumber(absl::Milliseconds(7.5), kTick), 7);
}

TEST(RealClockTest, NowIsNearTheSystemsTime) {
  EXPECT_GT(RealClock().Now(), absl::FromUnixSeconds(1600000000));
}

// This is how a wait hears that the wall clock was set.
TEST(ClockWaitersTest, WakeAllMakesAWaiterLookAtTheClockAgain) {
  ManualClock clock;  // Its own waiters are of no concern here.
  ClockWaiters waiters;
  absl::Mutex mu;
  std::vector<absl::Duration> lefts;
  std::thread waiting([&] {
    absl::MutexLock lock(&mu);
    EXPECT_FALSE(waiters.AwaitUntil(
        mu, absl::Condition(&kNever),
        [&] { return absl::Seconds(5) - clock.Monotonic(); },
        [&](const absl::Condition& wake, absl::Duration left) {
          lefts.push_back(left);
          mu.Await(wake);
        }));
  });
  for (int i = 0; i < 3; ++i) {
    waiters.AwaitWaiters(1);
    // Free only once the thread has looked at the clock and gone to sleep.
    mu.Lock();
    mu.Unlock();
    clock.Advance(absl::Seconds(2));
    waiters.WakeAll();
  }
  waiting.join();
  EXPECT_EQ(lefts, std::vector<absl::Duration>(
                       {absl::Seconds(5), absl::Seconds(3), absl::Seconds(1)}));
}

}  // namespace
}  // namespace shale
