#include "shale/locking/monotonic_commit_sequencer.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

constexpr Timestamp kStart = 1'600'000'000'000'000;

class MonotonicCommitSequencerTest : public testing::Test {
 protected:
  // Fails the test if it has to wait.
  Timestamp Assign(absl::Span<const absl::string_view> rows) {
    Timestamp assigned = -1;
    sequencer_.Assign(rows, [&assigned](Timestamp t) { assigned = t; });
    EXPECT_GE(assigned, 0);
    return assigned;
  }

  ManualClock clock_{absl::FromUnixMicros(kStart)};
  MonotonicCommitSequencer sequencer_{clock_};
};

TEST_F(MonotonicCommitSequencerTest, RowThatIsFasterThanTheClockRunsAheadOfIt) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Assign({"a"}), kStart + i);
  EXPECT_EQ(sequencer_.stats().run_ahead, absl::Microseconds(99));
  EXPECT_EQ(sequencer_.stats().yields, 0);
  clock_.Advance(absl::Microseconds(40));
  EXPECT_EQ(sequencer_.stats().run_ahead, absl::Microseconds(59));
  EXPECT_EQ(Assign({"a"}), kStart + 100);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(sequencer_.stats().run_ahead, absl::ZeroDuration());
  EXPECT_EQ(Assign({"a"}), kStart + 1'000'040) << "the clock has caught up";
}

TEST_F(MonotonicCommitSequencerTest, BatchIsAboveTheNewestOfItsRowsAtLeast) {
  for (int i = 0; i < 5; ++i) Assign({"a"});
  EXPECT_EQ(Assign({"a", "b", "c"}), kStart + 5);
  EXPECT_GE(Assign({"c"}), kStart + 6);
  EXPECT_GE(Assign({"b"}), kStart + 6);
}

TEST_F(MonotonicCommitSequencerTest, RowThatWasSilentForLongIsNotForgotten) {
  const Timestamp first = Assign({"a"});
  // As many others as any table would have to forget it for.
  for (int i = 0; i < 100'000; ++i) {
    clock_.Advance(absl::Microseconds(1));
    Assign({absl::StrCat("other", i)});
  }
  clock_.SetWall(absl::FromUnixMicros(kStart - 1'000'000));
  EXPECT_GT(Assign({"a"}), first);
}

TEST_F(MonotonicCommitSequencerTest, StepBackOfTheClockShowsAsRunAhead) {
  Assign({"a"});
  clock_.SetWall(absl::FromUnixMicros(kStart) - absl::Minutes(3));
  EXPECT_EQ(sequencer_.stats().run_ahead, absl::Minutes(3));
}

TEST_F(MonotonicCommitSequencerTest, RowsAllAtOnceShareATimestamp) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back(absl::StrCat("row", i));
  const std::vector<absl::string_view> rows(names.begin(), names.end());
  EXPECT_EQ(Assign(rows), kStart);
  EXPECT_EQ(sequencer_.floor(), kStart);
}

}  // namespace
}  // namespace shale
