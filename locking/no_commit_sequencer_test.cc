#include "shale/locking/no_commit_sequencer.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

Timestamp Assign(RowCommitSequencer& sequencer) {
  const absl::string_view row = "a";
  Timestamp assigned = -1;
  sequencer.Assign({&row, 1}, [&assigned](Timestamp t) { assigned = t; });
  return assigned;
}

TEST(NoCommitSequencerTest, TimestampIsTheWallClockWhateverItDoes) {
  ManualClock clock(absl::FromUnixMicros(500));
  NoCommitSequencer sequencer(clock);
  EXPECT_EQ(Assign(sequencer), 500);
  EXPECT_EQ(Assign(sequencer), 500) << "two commits of a row may share it";
  clock.SetWall(absl::FromUnixMicros(100));
  EXPECT_EQ(Assign(sequencer), 100) << "it steps back with the clock";
  sequencer.RaiseFloor(1000);
  EXPECT_EQ(Assign(sequencer), 100) << "it doesn't heed the floor";
  EXPECT_EQ(sequencer.floor(), 1000);
}

TEST(NoCommitSequencerTest, ClockBeforeTheEpochCountsAsTheEpoch) {
  ManualClock clock(absl::FromUnixSeconds(-5));
  NoCommitSequencer sequencer(clock);
  EXPECT_EQ(Assign(sequencer), 0);
}

}  // namespace
}  // namespace shale
