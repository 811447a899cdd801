#include "shale/base/testing/manual_clock.h"

#include <atomic>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(ManualClockTest, StandsStillUntilAdvanced) {
  ManualClock clock(absl::FromUnixSeconds(100));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(100));
  EXPECT_EQ(clock.Monotonic(), absl::ZeroDuration());
}

TEST(ManualClockTest, AdvanceMovesBothClocks) {
  ManualClock clock(absl::FromUnixSeconds(100));
  clock.Advance(absl::Seconds(5));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(105));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

TEST(ManualClockTest, AdvanceToGoesForwardOnly) {
  ManualClock clock(absl::FromUnixSeconds(100));
  clock.AdvanceTo(absl::Seconds(5));
  clock.AdvanceTo(absl::Seconds(3));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(105));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

TEST(ManualClockTest, TheWallClockStepsByItself) {
  ManualClock clock(absl::FromUnixSeconds(100));
  clock.Advance(absl::Seconds(5));
  clock.SetWall(absl::FromUnixSeconds(1));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(1));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

TEST(ManualClockTest, TheMonotonicClockRunsAheadByItself) {
  ManualClock clock(absl::FromUnixSeconds(100));
  clock.AdvanceMonotonic(absl::Seconds(5));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(100));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

TEST(ManualClockTest, ASleeperWakesOnlyAtItsDeadline) {
  ManualClock clock;
  std::atomic<bool> awake = false;
  std::thread sleeper([&clock, &awake] {
    clock.SleepUntil(absl::Seconds(5));
    awake = true;
  });
  clock.AwaitWaiters(1);
  clock.Advance(absl::Seconds(4));
  clock.SetWall(absl::InfiniteFuture());
  clock.AwaitWaiters(1);
  EXPECT_FALSE(awake);
  clock.Advance(absl::Seconds(1));
  sleeper.join();
  EXPECT_TRUE(awake);
}

TEST(ManualClockTest, AwaitUntilTellsTheConditionFromTheDeadline) {
  ManualClock clock;
  absl::Mutex mu;
  bool ready = false;
  std::atomic<int> in_time = 0;
  std::atomic<int> too_late = 0;
  std::thread waiter([&] {
    absl::MutexLock lock(&mu);
    const absl::Condition is_ready(&ready);
    too_late += !clock.AwaitUntil(mu, is_ready, absl::Seconds(1));
    in_time += clock.AwaitUntil(mu, is_ready, absl::Seconds(2));
  });
  clock.AwaitWaiters(1);
  clock.Advance(absl::Seconds(1));
  clock.AwaitWaiters(1);
  {
    absl::MutexLock lock(&mu);
    ready = true;
  }
  waiter.join();
  EXPECT_EQ(too_late, 1);
  EXPECT_EQ(in_time, 1);
}

TEST(ManualClockTest, AtTheDeadlineATrueConditionCounts) {
  ManualClock clock;
  absl::Mutex mu;
  absl::MutexLock lock(&mu);
  const bool ready = true;
  EXPECT_TRUE(
      clock.AwaitUntil(mu,
                       absl::Condition(
                           +[](const bool* value) { return *value; }, &ready),
                       absl::ZeroDuration()));
}

TEST(ManualClockTest, ATickWaitsForTheEdgeStrictlyAfterNow) {
  ManualClock clock;
  clock.Advance(absl::Milliseconds(3));
  int64_t tick = 0;
  std::thread waiter(
      [&] { tick = clock.WaitForNextTick(absl::Milliseconds(1)); });
  clock.AwaitWaiters(1);
  clock.Advance(absl::Milliseconds(1));
  waiter.join();
  EXPECT_EQ(tick, 4);
}

TEST(ManualClockTest, AdvancesInsteadOfSleepingWhereTold) {
  ManualClock clock(absl::FromUnixSeconds(100));
  clock.AdvanceInsteadOfSleeping();
  clock.SleepUntil(absl::Milliseconds(2.5));
  EXPECT_EQ(clock.Monotonic(), absl::Milliseconds(2.5));
  EXPECT_EQ(clock.WaitForNextTick(absl::Milliseconds(1)), 3);
  EXPECT_EQ(clock.Monotonic(), absl::Milliseconds(3));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(100) + absl::Milliseconds(3));
}

}  // namespace
}  // namespace shale
