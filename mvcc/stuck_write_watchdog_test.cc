#include "shale/mvcc/stuck_write_watchdog.h"

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/mvcc/testing/mvcc_fixture.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StuckWriteWatchdogTest : public MvccFixture {
 protected:
  void AdvanceTo(absl::Duration time) {
    clock_.AdvanceTo(time);
    executor_.RunUntilIdle();
  }

  const std::unique_ptr<Mvcc> mvcc_ = Create({.owner = "t1,aaa"});
  CapturingLogSink log_;
  DeterministicExecutor executor_{clock_, 1};
  StuckWriteWatchdog watchdog_{*mvcc_, clock_, executor_, log_,
                               absl::Seconds(30)};
};

INSTANTIATE_TEST_SUITE_P(Variants, StuckWriteWatchdogTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

// HBASE-24311, HBASE-24167: a region hung, and said nothing.
TEST_P(StuckWriteWatchdogTest, StuckWriteIsNamedWithOwnerAgeAndReason) {
  mvcc_->MarkInserted(BeginWrite(*mvcc_, 2, {500}));
  mvcc_->MarkInserted(BeginWrite(*mvcc_));
  mvcc_->MarkInserted(BeginWrite(*mvcc_));
  AdvanceTo(absl::Seconds(29));
  EXPECT_THAT(log_.lines(), IsEmpty());
  AdvanceTo(absl::Seconds(30));
  EXPECT_THAT(log_.lines(),
              ElementsAre("warning mvcc: t1,aaa: write #1..#2, 30s old: "
                          "inserted, waits for the log to be durable up to "
                          "@500, is @0; stuck behind it: 2"));
}

TEST_P(StuckWriteWatchdogTest, WarnsAgainAsLongAsAWriteIsStuckAndThenNoMore) {
  const WriteRange write = BeginWrite(*mvcc_);
  AdvanceTo(absl::Seconds(30));
  AdvanceTo(absl::Seconds(60));
  EXPECT_EQ(log_.lines().size(), 2u);
  mvcc_->MarkInserted(write);
  AdvanceTo(absl::Seconds(90));
  EXPECT_EQ(log_.lines().size(), 2u);
}

TEST_P(StuckWriteWatchdogTest, SaysNothingOfWritesThatComeAndGo) {
  for (int second = 1; second <= 100; ++second) {
    const WriteRange write = BeginWrite(*mvcc_);
    AdvanceTo(absl::Seconds(second));
    mvcc_->MarkInserted(write);
  }
  EXPECT_THAT(log_.lines(), IsEmpty());
}

}  // namespace
}  // namespace shale
