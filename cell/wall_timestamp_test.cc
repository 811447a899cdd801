#include "shale/cell/wall_timestamp.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

TEST(WallTimestampTest, ReadingsOutsideOfTheCalendarAreItsEnds) {
  for (const absl::Time early :
       {absl::InfinitePast(), absl::FromUnixMicros(-1), absl::UnixEpoch()}) {
    EXPECT_EQ(WallTimestamp(early), kMinTimestamp) << early;
  }
  EXPECT_EQ(WallTimestamp(absl::FromUnixMicros(7)), 7);
  EXPECT_EQ(absl::FormatTime("%Y-%m-%dT%H:%M:%E6S",
                             absl::FromUnixMicros(kMaxWallTimestamp),
                             absl::UTCTimeZone()),
            "9999-12-31T23:59:59.999999");
  for (const absl::Time late :
       {absl::InfiniteFuture(), absl::FromUnixMicros(kMaxTimestamp),
        absl::FromUnixMicros(kMaxWallTimestamp + 1)}) {
    EXPECT_EQ(WallTimestamp(late), kMaxWallTimestamp) << late;
  }
}

TEST(WallTimestampTest, WhatComesAfterIsNeverThePlaceholderForLatest) {
  EXPECT_EQ(TimestampAfter(7), 8);
  EXPECT_EQ(TimestampAfter(kMaxTimestamp - 2), kMaxTimestamp - 1);
  EXPECT_EQ(TimestampAfter(kMaxTimestamp - 1), kMaxTimestamp - 1);
  EXPECT_EQ(TimestampAfter(kMaxTimestamp), kMaxTimestamp - 1);
}

TEST(WallTimestampTest, HowFarAheadIsNoNegativeTime) {
  ManualClock clock;
  const Timestamp now = WallTimestamp(clock);
  EXPECT_EQ(AheadOfWall(now + 5, clock), absl::Microseconds(5));
  EXPECT_EQ(AheadOfWall(now - 5, clock), absl::ZeroDuration());
}

}  // namespace
}  // namespace shale
