#include "shale/tools/console/timestamp_text.h"

#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/timestamp.h"

namespace shale {
namespace {

TEST(TimestampTextTest, WallClockTimesAreDates) {
  EXPECT_EQ(TimestampText(1600000000123456), "2020-09-13T12:26:40.123456Z");
}

TEST(TimestampTextTest, SmallAndHugeVersionsAreNumbers) {
  EXPECT_EQ(TimestampText(5), "5");
  EXPECT_EQ(TimestampText(kMaxTimestamp), "9223372036854775807");
}

TEST(TimestampTextTest, WhatIsPrintedParsesBack) {
  for (const Timestamp t :
       {Timestamp{0}, Timestamp{5}, Timestamp{1600000000123456},
        Timestamp{7258118399999999}, kLatestTimestamp - 1}) {
    EXPECT_THAT(ParseTimestamp(TimestampText(t)), IsOkAndHolds(t));
  }
}

TEST(TimestampTextTest, TimeZonesAreHeeded) {
  EXPECT_THAT(ParseTimestamp("2020-09-13T14:26:40+02:00"),
              IsOkAndHolds(1600000000000000));
}

TEST(TimestampTextTest, NonsenseAndTimesBefore1970AreRefused) {
  for (const char* text : {"", "yesterday", "5s", "-1", "1969-01-01T00:00:00Z",
                           // Of writes these would silently mean "now".
                           "9223372036854775807", "infinite-future"}) {
    EXPECT_THAT(ParseTimestamp(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

}  // namespace
}  // namespace shale
