#include "shale/wal/live_segments.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A generation of epoch 7 that begins at 1000, recovered from 6.
class LiveSegmentsTest : public testing::Test {
 protected:
  SegmentHeader Next(uint64_t counter, uint64_t first) {
    return segments_.NextHeader(counter, {first}, absl::UnixEpoch());
  }
  void Join(uint64_t counter, uint64_t first) {
    segments_.Join(Next(counter, first));
  }

  LiveSegments segments_{7, {1000}, 6};
};

TEST_F(LiveSegmentsTest, TheFirstSegmentHasNoPredecessor) {
  const SegmentHeader header = Next(1, 1000);
  EXPECT_EQ(header.id, (SegmentId{7, 1}));
  EXPECT_EQ(header.first, LogPosition{1000});
  EXPECT_EQ(header.generation_start, LogPosition{1000});
  EXPECT_EQ(header.kept_from, LogPosition{1000});
  EXPECT_EQ(header.source_epoch, 6u);
  EXPECT_EQ(header.predecessor, 0u);
  EXPECT_EQ(header.predecessor_bytes, 0u);
}

TEST_F(LiveSegmentsTest, ASegmentSealsTheOneBeforeItWhereItBegins) {
  Join(1, 1000);
  const SegmentHeader header = Next(3, 1200);
  EXPECT_EQ(header.predecessor, 1u);
  EXPECT_EQ(header.predecessor_bytes, kSegmentHeaderBytes + 200);
}

TEST_F(LiveSegmentsTest, ASegmentThatNeverJoinedIsNobodysPredecessor) {
  Join(1, 1000);
  Next(2, 1200);
  EXPECT_EQ(Next(3, 1200).predecessor, 1u);
}

TEST_F(LiveSegmentsTest, OnlyLaterSegmentsKnowOfTheRecoveredMarker) {
  Join(1, 1000);
  segments_.SetRecovered({1300});
  EXPECT_EQ(Next(2, 1200).recovered_at, kLogStart) << "it lies behind";
  EXPECT_EQ(Next(2, 1300).recovered_at, LogPosition{1300});
}

TEST_F(LiveSegmentsTest, NothingIsTrimmedInRecovery) {
  Join(1, 1000);
  Join(2, 1200);
  EXPECT_THAT(segments_.Trim({5000}), IsEmpty());
  segments_.SetRecovered({1300});
  EXPECT_THAT(segments_.Trim({5000}), ElementsAre(SegmentId{7, 1}));
}

TEST_F(LiveSegmentsTest, SegmentsBelowWhatIsNeededAreDroppedOldestFirst) {
  segments_.SetRecovered({1100});
  Join(1, 1000);
  Join(2, 1200);
  Join(3, 1400);
  Join(4, 1600);
  EXPECT_THAT(segments_.Trim({1199}), IsEmpty());
  EXPECT_EQ(segments_.kept_from(), LogPosition{1000});
  EXPECT_THAT(segments_.Trim({1450}),
              ElementsAre(SegmentId{7, 1}, SegmentId{7, 2}));
  EXPECT_EQ(segments_.kept_from(), LogPosition{1400});
  EXPECT_EQ(Next(5, 1800).kept_from, LogPosition{1400});
  EXPECT_EQ(segments_.count(), 2);
}

TEST_F(LiveSegmentsTest, TheLastSegmentAlwaysStays) {
  segments_.SetRecovered({1100});
  Join(1, 1000);
  EXPECT_THAT(segments_.Trim({99999}), IsEmpty());
}

TEST_F(LiveSegmentsTest, ExcessIsCountedFromTheOldest) {
  Join(1, 1000);
  Join(2, 1200);
  Join(3, 1400);
  EXPECT_EQ(segments_.EndOfExcess(3), kLogStart);
  EXPECT_EQ(segments_.EndOfExcess(2), LogPosition{1200});
  EXPECT_EQ(segments_.EndOfExcess(1), LogPosition{1400});
}

}  // namespace
}  // namespace shale
