#include "shale/wal/unflushed_tracker.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

Uuid RegionNamed(uint8_t name) {
  Uuid uuid;
  uuid.bytes[0] = name;
  return uuid;
}

const Uuid kRegion = RegionNamed(1);
const Uuid kOther = RegionNamed(2);
constexpr uint64_t kF0 = 1;
constexpr uint64_t kF1 = 2;

TEST(UnflushedTrackerTest, TheOldestEntryOfAnyFamilyCounts) {
  UnflushedTracker tracker;
  EXPECT_EQ(tracker.Oldest(), std::nullopt);
  tracker.Add(kRegion, kF1, {10});
  tracker.Add(kRegion, kF0 | kF1, {20});
  tracker.Add(kOther, kF0, {5});
  EXPECT_THAT(tracker.Oldest(kRegion), Optional(LogPosition{10}));
  EXPECT_THAT(tracker.Oldest(), Optional(LogPosition{5}));
}

TEST(UnflushedTrackerTest, AMarkerWithoutCellsPinsNothing) {
  UnflushedTracker tracker;
  tracker.Add(kRegion, 0, {10});
  EXPECT_EQ(tracker.Oldest(kRegion), std::nullopt);
}

// A18.
TEST(UnflushedTrackerTest, AFlushLeavesTheOldestOfTheOtherFamilies) {
  UnflushedTracker tracker;
  tracker.Add(kRegion, kF0, {10});
  tracker.StartFlush(kRegion, kF1);
  EXPECT_THAT(tracker.OldestAfterFlush(kRegion), Optional(LogPosition{10}));
  tracker.StartFlush(kRegion, kF0);
  EXPECT_EQ(tracker.OldestAfterFlush(kRegion), std::nullopt);
}

TEST(UnflushedTrackerTest, WhatIsBeingFlushedIsNeededUntilTheFlushIsFinished) {
  UnflushedTracker tracker;
  tracker.Add(kRegion, kF0, {10});
  tracker.StartFlush(kRegion, kF0);
  tracker.Add(kRegion, kF0, {30});
  EXPECT_THAT(tracker.Oldest(kRegion), Optional(LogPosition{10}));
  EXPECT_THAT(tracker.OldestAfterFlush(kRegion), Optional(LogPosition{30}));
  tracker.FinishFlush(kRegion, kF0);
  EXPECT_THAT(tracker.Oldest(kRegion), Optional(LogPosition{30}));
}

TEST(UnflushedTrackerTest, AFlushThatFailedIsMadeUpForByTheNext) {
  UnflushedTracker tracker;
  tracker.Add(kRegion, kF0, {10});
  tracker.StartFlush(kRegion, kF0);
  tracker.Add(kRegion, kF0, {30});
  tracker.StartFlush(kRegion, kF0);
  EXPECT_THAT(tracker.Oldest(kRegion), Optional(LogPosition{10}));
  tracker.FinishFlush(kRegion, kF0);
  EXPECT_EQ(tracker.Oldest(kRegion), std::nullopt);
}

// A17: nothing is left to bring a closed region back.
TEST(UnflushedTrackerTest, AForgottenRegionStaysForgotten) {
  UnflushedTracker tracker;
  tracker.Add(kRegion, kF0, {10});
  tracker.StartFlush(kRegion, kF0);
  tracker.Forget(kRegion);
  tracker.FinishFlush(kRegion, kF0);
  EXPECT_EQ(tracker.Oldest(kRegion), std::nullopt);
  EXPECT_EQ(tracker.Oldest(), std::nullopt);
}

// The naive twin: every entry of a family by itself.
class TrackerModel {
 public:
  void Add(int region, uint64_t families, uint64_t start) {
    for (int bit = 0; bit < 64; ++bit) {
      if ((families >> bit & 1) != 0) active_[{region, bit}].insert(start);
    }
  }
  void Freeze(int region, uint64_t families) {
    for (int bit = 0; bit < 64; ++bit) {
      if ((families >> bit & 1) != 0) {
        frozen_[{region, bit}].merge(active_[{region, bit}]);
      }
    }
  }
  void Finish(int region, uint64_t families) {
    for (int bit = 0; bit < 64; ++bit) {
      if ((families >> bit & 1) != 0) frozen_[{region, bit}].clear();
    }
  }
  void Forget(int region) {
    Freeze(region, ~uint64_t{0});
    Finish(region, ~uint64_t{0});
  }
  std::optional<LogPosition> OldestAfterFlush(int region) const {
    return Oldest(active_, region);
  }
  std::optional<LogPosition> Oldest(int region) const {
    const auto active = Oldest(active_, region);
    const auto frozen = Oldest(frozen_, region);
    if (!active.has_value() || !frozen.has_value()) {
      return active.has_value() ? active : frozen;
    }
    return std::min(*active, *frozen);
  }

 private:
  using Entries = std::map<std::pair<int, int>, std::set<uint64_t>>;

  static std::optional<LogPosition> Oldest(const Entries& entries, int region) {
    std::optional<LogPosition> oldest;
    for (const auto& [key, starts] : entries) {
      if (key.first != region || starts.empty()) continue;
      const LogPosition first{*starts.begin()};
      if (!oldest.has_value() || first < *oldest) oldest = first;
    }
    return oldest;
  }

  Entries active_;
  Entries frozen_;
};

void Step(Random& random, uint64_t position, UnflushedTracker& tracker,
          TrackerModel& model) {
  const int r = static_cast<int>(random.Uniform(3));
  const Uuid region = RegionNamed(static_cast<uint8_t>(r + 1));
  const uint64_t families =
      random.Uniform(16) | (random.OneIn(8) ? uint64_t{1} << 63 : 0);
  switch (random.Uniform(8)) {
    case 0:
    case 1:
      tracker.StartFlush(region, families);
      return model.Freeze(r, families);
    case 2:
      tracker.FinishFlush(region, families);
      return model.Finish(r, families);
    case 3:
      if (!random.OneIn(4)) return;
      tracker.Forget(region);
      return model.Forget(r);
    default:
      tracker.Add(region, families, {position});
      return model.Add(r, families, position);
  }
}

TEST(UnflushedTrackerTest, AgreesWithATwinThatKeepsEveryEntry) {
  Random random(TestSeed());
  UnflushedTracker tracker;
  TrackerModel model;
  for (uint64_t position = 1; position <= 20000; ++position) {
    Step(random, position, tracker, model);
    std::optional<LogPosition> oldest;
    for (int r = 0; r < 3; ++r) {
      const Uuid region = RegionNamed(static_cast<uint8_t>(r + 1));
      ASSERT_EQ(tracker.Oldest(region), model.Oldest(r)) << position;
      ASSERT_EQ(tracker.OldestAfterFlush(region), model.OldestAfterFlush(r))
          << position;
      const auto mine = model.Oldest(r);
      if (mine.has_value() && (!oldest.has_value() || *mine < *oldest)) {
        oldest = mine;
      }
    }
    ASSERT_EQ(tracker.Oldest(), oldest) << position;
  }
}

}  // namespace
}  // namespace shale
