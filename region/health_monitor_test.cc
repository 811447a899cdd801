#include "shale/region/health_monitor.h"

#include <cerrno>
#include <thread>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

LogHealth Log(LogHealth::State state, absl::Status cause = absl::OkStatus()) {
  return {state, std::move(cause), absl::UnixEpoch()};
}

TEST(HealthMonitorTest, AStalledRegionTakesWritesAndServesAgain) {
  ManualClock clock;
  HealthMonitor health(clock);
  health.OnLogHealth(
      Log(LogHealth::State::kStalled, absl::ResourceExhaustedError("full")));
  EXPECT_EQ(health.health().state, HealthState::kStalled);
  EXPECT_THAT(health.health().cause,
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_OK(health.CheckWritable("r"));
  clock.Advance(absl::Seconds(5));
  health.OnLogHealth(Log(LogHealth::State::kServing));
  EXPECT_EQ(health.health().state, HealthState::kServing);
  EXPECT_EQ(health.health().since, clock.Now());
}

TEST(HealthMonitorTest, WhatTheLogTellsMeanwhileStandsOverWhatWasRead) {
  ManualClock clock;
  HealthMonitor health(clock);
  absl::Notification told;
  std::thread log;
  health.AdoptLogHealth([&] {
    const LogHealth read = Log(LogHealth::State::kServing);
    log = std::thread([&] {
      health.OnLogHealth(Log(LogHealth::State::kStalled,
                             absl::ResourceExhaustedError("full")));
      told.Notify();
    });
    // It can't be told before this returns.
    EXPECT_FALSE(told.WaitForNotificationWithTimeout(absl::Milliseconds(50)));
    return read;
  });
  log.join();
  EXPECT_EQ(health.health().state, HealthState::kStalled);
}

TEST(HealthMonitorTest, PoisonIsFinalAndKeepsItsFirstCause) {
  ManualClock clock;
  HealthMonitor health(clock);
  health.Poison(absl::UnknownError("first"));
  health.Poison(absl::UnknownError("second"));
  health.OnLogHealth(Log(LogHealth::State::kServing));
  health.Close();
  EXPECT_EQ(health.health().state, HealthState::kPoisoned);
  EXPECT_THAT(health.CheckWritable("r"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("region r"), HasSubstr("first"))));
}

TEST(HealthMonitorTest, AWaitEndsAtItsDeadlineAndSaysWhyItIsStalled) {
  ManualClock clock;
  HealthMonitor health(clock);
  health.OnLogHealth(
      Log(LogHealth::State::kStalled, absl::ResourceExhaustedError("full")));
  absl::AnyInvocable<bool()> late;
  EXPECT_THAT(health.AwaitUnlessPoisoned("the flush", clock.Monotonic(),
                                         [&](absl::AnyInvocable<bool()> done) {
                                           late = std::move(done);
                                         }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("the flush: "),
                             HasSubstr("stalled since 2020-09-13"),
                             HasSubstr(": full"))));
  EXPECT_FALSE(late()) << "nobody waits any more";
}

TEST(HealthMonitorTest, BusyLacksSpaceIfThatIsWhyTheLogIsStalled) {
  ManualClock clock;
  for (const int error : {ENOSPC, EMFILE}) {
    HealthMonitor health(clock);
    EXPECT_FALSE(LacksSpace(health.Busy("a sync")));
    health.OnLogHealth(Log(LogHealth::State::kStalled,
                           ErrnoError(error, "append to", "a", true)));
    EXPECT_EQ(LacksSpace(health.Busy("a sync")), error == ENOSPC);
  }
}

TEST(HealthMonitorTest, AWaitEndsWithItsEventOrWithPoison) {
  ManualClock clock;
  HealthMonitor health(clock);
  EXPECT_OK(health.AwaitUnlessPoisoned(
      "it", absl::InfiniteDuration(),
      [](absl::AnyInvocable<bool()> done) { EXPECT_TRUE(done()); }));
  absl::Notification waiting;
  std::thread poisoner([&] {
    waiting.WaitForNotification();
    health.Poison(absl::UnknownError("gone"));
  });
  absl::AnyInvocable<void()> never;
  EXPECT_THAT(
      health.AwaitUnlessPoisoned("it", absl::InfiniteDuration(),
                                 [&](absl::AnyInvocable<bool()> done) {
                                   never = std::move(done);
                                   waiting.Notify();
                                 }),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("gone")));
  poisoner.join();
}

}  // namespace
}  // namespace shale
