#include "shale/region/purge_clock.h"

#include <memory>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/cell/wall_timestamp.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::Duration kDay = absl::Hours(24);
constexpr absl::Duration kYear = absl::Hours(365 * 24);
constexpr int64_t kMicrosOfDay = int64_t{24} * 3600 * 1000000;

class PurgeClockTest : public testing::Test {
 protected:
  PurgeClock& Open(Timestamp believed, bool trust_wall = false) {
    purge_clock_ = std::make_unique<PurgeClock>(believed, trust_wall, clock_,
                                                held_seconds_, log_, "r");
    return *purge_clock_;
  }

  ManualClock clock_;
  const absl::Time start_ = clock_.Now();
  const Timestamp start_micros_ = WallTimestamp(start_);
  MetricsRegistry metrics_;
  Gauge& held_seconds_ = metrics_.GetGauge("held_seconds");
  CapturingLogSink log_;
  std::unique_ptr<PurgeClock> purge_clock_;
};

TEST_F(PurgeClockTest, FollowsAClockThatRunsAsItShould) {
  PurgeClock& purge = Open(start_micros_);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(purge.Now(), WallTimestamp(clock_));
    EXPECT_EQ(purge.NewestBelieved(), WallTimestamp(clock_));
    clock_.Advance(30 * kDay);
  }
  EXPECT_EQ(held_seconds_.value(), 0);
  EXPECT_THAT(log_.lines(), testing::IsEmpty());
}

TEST_F(PurgeClockTest, TimeGoesOnByTheMonotonicClockWhileTheWallIsFarAhead) {
  PurgeClock& purge = Open(start_micros_);
  EXPECT_EQ(purge.Now(), start_micros_);
  for (const absl::Time jumped :
       {start_ + 40 * kYear, start_ + 2 * kDay, absl::InfiniteFuture()}) {
    const Timestamp before = purge.NewestBelieved();
    clock_.SetWall(jumped);
    clock_.AdvanceMonotonic(absl::Microseconds(5));
    EXPECT_EQ(purge.Now(), before + 5);
    EXPECT_EQ(purge.NewestBelieved(), before + 5);
    EXPECT_GT(held_seconds_.value(), 24 * 3600);
  }
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(HasSubstr("warning r: the wall clock reads "),
                                HasSubstr("trust_wall_clock"))));
  clock_.SetWall(start_ + absl::Seconds(7));
  EXPECT_EQ(purge.Now(), start_micros_ + 7000000);
  EXPECT_EQ(held_seconds_.value(), 0);
  clock_.SetWall(start_ + 40 * kYear);
  EXPECT_LT(purge.Now(), start_micros_ + kMicrosOfDay);
  EXPECT_EQ(log_.lines().size(), 2u) << "a second jump is a second line";
}

TEST_F(PurgeClockTest, LowReadingsPassAndAreForgotten) {
  PurgeClock& purge = Open(start_micros_);
  EXPECT_EQ(purge.Now(), start_micros_);
  for (const absl::Time low :
       {absl::FromUnixMicros(-1), absl::UnixEpoch(), absl::InfinitePast()}) {
    clock_.SetWall(low);
    EXPECT_EQ(purge.Now(), kMinTimestamp);
    EXPECT_EQ(purge.NewestBelieved(), start_micros_);
  }
  clock_.SetWall(start_ - kDay);
  EXPECT_EQ(purge.Now(), start_micros_ - kMicrosOfDay);
  clock_.SetWall(start_ + 2 * kDay);
  EXPECT_EQ(purge.Now(), start_micros_) << "a day ahead of what it was";
}

TEST_F(PurgeClockTest, RegionThatWasClosedForAYearIsOpenedAsUsual) {
  clock_.SetWall(start_ + PurgeClock::kAllowanceAtOpen);
  EXPECT_EQ(Open(start_micros_).Now(), WallTimestamp(clock_));
  clock_.SetWall(clock_.Now() + kDay + absl::Seconds(1));
  EXPECT_LT(purge_clock_->Now(), WallTimestamp(clock_))
      << "the first reading that counts used the allowance up";
}

TEST_F(PurgeClockTest, ReadingsThatDontCountLeaveTheAllowanceOfTheOpening) {
  PurgeClock& purge = Open(start_micros_);
  clock_.SetWall(absl::UnixEpoch());
  EXPECT_EQ(purge.Now(), kMinTimestamp);
  clock_.SetWall(start_ + 2 * kYear);
  EXPECT_EQ(purge.Now(), start_micros_);
  clock_.SetWall(start_ + 300 * kDay);
  EXPECT_EQ(purge.Now(), WallTimestamp(clock_));
}

TEST_F(PurgeClockTest, NothingKnownOrATrustedClockIsBelievedAsItReads) {
  clock_.SetWall(start_ + 40 * kYear);
  EXPECT_EQ(Open(0).Now(), WallTimestamp(clock_));
  EXPECT_EQ(Open(start_micros_, /*trust_wall=*/true).Now(),
            WallTimestamp(clock_));
  // Back too, else a clock that was once believed would be for ever.
  clock_.SetWall(start_);
  PurgeClock& purge = Open(start_micros_ + 40 * 365 * kMicrosOfDay, true);
  EXPECT_EQ(purge.NewestBelieved(), start_micros_);
  clock_.SetWall(start_ + 2 * kYear);
  EXPECT_EQ(purge.Now(), start_micros_);
}

TEST_F(PurgeClockTest, WhatNoClockCanHaveReadIsCutOff) {
  PurgeClock& purge = Open(kMaxTimestamp);
  clock_.AdvanceMonotonic(kYear);
  clock_.SetWall(absl::InfiniteFuture());
  EXPECT_EQ(purge.Now(), kMaxWallTimestamp);
  EXPECT_EQ(purge.NewestBelieved(), kMaxWallTimestamp);
}

}  // namespace
}  // namespace shale
