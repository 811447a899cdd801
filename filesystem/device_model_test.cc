#include "shale/filesystem/device_model.h"

#include <set>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

constexpr absl::Duration kSync = absl::Microseconds(350);
constexpr absl::Duration kRead = absl::Microseconds(50);

TEST(DeviceModelTest, SyncsBeyondTheLimitWaitForTheirTurn) {
  ManualClock clock;
  DeviceModel model(clock, {.sync_latency = kSync});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(model.SyncAnswer(), kSync);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(model.SyncAnswer(), 2 * kSync);
  EXPECT_EQ(model.SyncAnswer(), 3 * kSync);
  clock.Advance(10 * kSync);
  EXPECT_EQ(model.SyncAnswer(), 11 * kSync);
  EXPECT_EQ(model.counters().syncs, 10);
}

TEST(DeviceModelTest, APlaceIsFreeAgainWhenItsSyncIsDone) {
  ManualClock clock;
  DeviceModel model(clock, {.sync_latency = kSync, .max_syncs_in_flight = 2});
  EXPECT_EQ(model.SyncAnswer(), kSync);
  clock.Advance(absl::Microseconds(100));
  EXPECT_EQ(model.SyncAnswer(), kSync + absl::Microseconds(100));
  EXPECT_EQ(model.SyncAnswer(), 2 * kSync);
}

TEST(DeviceModelTest, ExtentsOfOneReadRunSideBySide) {
  ManualClock clock;
  DeviceModel model(clock, {.read_latency = kRead, .max_reads_in_flight = 3});
  EXPECT_EQ(model.ReadAnswer(3, 300), kRead);
  EXPECT_EQ(model.ReadAnswer(4, 400), 3 * kRead);
  EXPECT_EQ(model.ReadAnswer(0, 0), absl::ZeroDuration());
  EXPECT_EQ(model.counters().reads, 7);
  EXPECT_EQ(model.counters().read_bytes, 700);
}

TEST(DeviceModelTest, SyncsAndReadsDoNotHoldEachOtherUp) {
  ManualClock clock;
  DeviceModel model(clock, {.sync_latency = kSync,
                            .read_latency = kRead,
                            .max_syncs_in_flight = 1,
                            .max_reads_in_flight = 1});
  EXPECT_EQ(model.SyncAnswer(), kSync);
  EXPECT_EQ(model.ReadAnswer(1, 1), kRead);
}

TEST(DeviceModelTest, TheLinkIsPaidOnceEachWay) {
  ManualClock clock;
  DeviceModel model(clock, {.sync_latency = kSync,
                            .read_latency = kRead,
                            .link_latency_out = absl::Microseconds(100),
                            .link_latency_back = absl::Microseconds(30)});
  const absl::Duration link = absl::Microseconds(130);
  EXPECT_EQ(model.LinkAnswer(), link);
  EXPECT_EQ(model.AppendAnswer(7), link);
  EXPECT_EQ(model.SyncAnswer(), link + kSync);
  EXPECT_EQ(model.ReadAnswer(5, 5), link + kRead);
  EXPECT_EQ(model.counters().appends, 1);
  EXPECT_EQ(model.counters().appended_bytes, 7);
}

TEST(DeviceModelTest, JitterIsSeededAndStaysInItsRange) {
  ManualClock clock;
  const ModelledDeviceOptions options{
      .sync_latency = kSync, .max_syncs_in_flight = 1000, .jitter = 0.2};
  DeviceModel one(clock, options);
  DeviceModel two(clock, options);
  std::set<absl::Duration> seen;
  for (int i = 0; i < 1000; ++i) {
    const absl::Duration answer = one.SyncAnswer();
    EXPECT_EQ(two.SyncAnswer(), answer);
    EXPECT_GE(answer, kSync * 0.8);
    EXPECT_LE(answer, kSync * 1.2);
    seen.insert(answer);
  }
  EXPECT_LT(*seen.begin(), kSync * 0.85);
  EXPECT_GT(*seen.rbegin(), kSync * 1.15);
}

}  // namespace
}  // namespace shale
