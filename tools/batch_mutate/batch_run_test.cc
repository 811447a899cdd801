#include "shale/tools/batch_mutate/batch_run.h"

#include <memory>
#include <optional>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/benchmark/list_flag.h"

namespace shale {
namespace {

void NotWatched(int64_t) {}

// Gives every commit the same timestamp.
class StoppedSequencer final : public RowCommitSequencer {
 public:
  bool needs_exclusive_locks() const override { return true; }
  bool waits() const override { return false; }
  void Assign(absl::Span<const absl::string_view>,
              absl::AnyInvocable<void(Timestamp)> done) override {
    done(7);
  }
  void Raise(absl::Span<const absl::string_view>, Timestamp) override {}
  Timestamp floor() const override { return 7; }
  void RaiseFloor(Timestamp) override {}
  RowCommitSequencerStats stats() const override { return {}; }
  absl::string_view name() const override { return "stopped"; }
};

constexpr RowCommitSequencerVariant kStopped = {
    "stopped", +[](Clock&, Executor&) -> std::unique_ptr<RowCommitSequencer> {
      return std::make_unique<StoppedSequencer>();
    }};

class BatchRunTest : public testing::TestWithParam<RowCommitSequencerVariant> {
};

TEST_P(BatchRunTest, AcknowledgesEveryBatchAndFindsItAgain) {
  for (const bool same_rows : {false, true}) {
    const absl::StatusOr<BatchRun> run =
        RunBatches({.threads = 2, .rows = 3, .same_rows = same_rows},
                   GetParam(), std::nullopt, 20, RealClock(), NotWatched);
    ASSERT_OK(run);
    EXPECT_EQ(run->measurement.operations(), 20);
    EXPECT_GT(run->median_nanos, 0);
    EXPECT_EQ(run->measurement.causes.syncs, 0) << "the log is a stub";
    if (!same_rows) {
      EXPECT_EQ(run->measurement.causes.yields, 0);
    }
  }
}

TEST_P(BatchRunTest, ALogOfItsOwnIsSyncedForTheBatches) {
  const absl::StatusOr<BatchRun> run =
      RunBatches({.threads = 1, .rows = 3}, GetParam(),
                 DeviceSpec{DeviceSpec::Kind::kMemory, "", {}}, 20, RealClock(),
                 NotWatched);
  ASSERT_OK(run);
  EXPECT_EQ(run->measurement.operations(), 20);
  EXPECT_GE(run->measurement.causes.syncs, 20) << "one writer waits each time";
}

INSTANTIATE_TEST_SUITE_P(All, BatchRunTest,
                         testing::ValuesIn(RowCommitSequencerVariants()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(BatchYieldTest, BatchesThatMeetOnARowWaitForALaterTick) {
  const absl::StatusOr<BatchRun> run =
      RunBatches({.threads = 2, .rows = 3, .same_rows = true},
                 FindVariant(RowCommitSequencerVariants(), "tick"),
                 std::nullopt, 20, RealClock(), NotWatched);
  ASSERT_OK(run);
  EXPECT_EQ(run->duplicates, 0);
  EXPECT_GE(run->measurement.causes.yields, 1);
}

TEST(BatchDuplicateTest, EveryRepeatedTimestampOfARowIsCounted) {
  const absl::StatusOr<BatchRun> run =
      RunBatches({.threads = 2, .rows = 3, .same_rows = true}, kStopped,
                 std::nullopt, 20, RealClock(), NotWatched);
  ASSERT_OK(run);
  EXPECT_EQ(run->duplicates, 3 * 19);
}

TEST(BatchDuplicateTest, RowsOfTheirOwnCannotCollide) {
  const absl::StatusOr<BatchRun> run =
      RunBatches({.threads = 2, .rows = 3}, kStopped, std::nullopt, 20,
                 RealClock(), NotWatched);
  ASSERT_OK(run);
  EXPECT_EQ(run->duplicates, 0);
}

}  // namespace
}  // namespace shale
