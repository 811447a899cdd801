#include "shale/base/alarm.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class AlarmTest : public testing::Test {
 protected:
  AlarmTest()
      : alarm_(std::make_unique<Alarm>(executor_, [this] {
          looks_.push_back(absl::ToInt64Seconds(clock_.Monotonic()));
          if (within_look_) within_look_();
          return next_;
        })) {}

  void RunTo(int seconds) {
    clock_.AdvanceTo(absl::Seconds(seconds));
    executor_.RunUntilIdle();
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  absl::Duration next_ = absl::InfiniteDuration();
  std::function<void()> within_look_;
  std::vector<int64_t> looks_;
  std::unique_ptr<Alarm> alarm_;
};

TEST_F(AlarmTest, NothingIsScheduledBeforeItIsAskedFor) {
  EXPECT_FALSE(executor_.AdvanceToNextTimer());
  alarm_->RingBy(absl::InfiniteDuration());
  EXPECT_FALSE(executor_.AdvanceToNextTimer());
}

TEST_F(AlarmTest, TheEarliestTimeCounts) {
  alarm_->RingBy(absl::Seconds(10));
  alarm_->RingBy(absl::Seconds(5));
  alarm_->RingBy(absl::Seconds(7));
  RunTo(4);
  EXPECT_THAT(looks_, IsEmpty());
  RunTo(5);
  EXPECT_THAT(looks_, ElementsAre(5));
  RunTo(20);
  EXPECT_THAT(looks_, ElementsAre(5)) << "the look at 5 asked for no other";
}

TEST_F(AlarmTest, ALookSaysWhenTheNextIs) {
  next_ = absl::Seconds(8);
  alarm_->RingBy(absl::Seconds(5));
  RunTo(5);
  next_ = absl::InfiniteDuration();
  RunTo(7);
  EXPECT_THAT(looks_, ElementsAre(5));
  RunTo(8);
  EXPECT_THAT(looks_, ElementsAre(5, 8));
  EXPECT_FALSE(executor_.AdvanceToNextTimer());
}

TEST_F(AlarmTest, WhatIsAskedForWithinALookIsNotLost) {
  within_look_ = [this] {
    within_look_ = nullptr;
    alarm_->RingBy(absl::Seconds(6));
  };
  next_ = absl::Seconds(9);
  alarm_->RingBy(absl::Seconds(5));
  RunTo(5);
  next_ = absl::InfiniteDuration();
  RunTo(6);
  EXPECT_THAT(looks_, ElementsAre(5, 6));
}

TEST_F(AlarmTest, APastTimeIsAsGoodAsNow) {
  RunTo(3);
  alarm_->RingBy(-absl::InfiniteDuration());
  executor_.RunUntilIdle();
  EXPECT_THAT(looks_, ElementsAre(3));
}

TEST_F(AlarmTest, NoLookFollowsOnceItIsGone) {
  alarm_->RingBy(absl::Seconds(5));
  alarm_.reset();
  RunTo(100);
  EXPECT_THAT(looks_, IsEmpty());
}

}  // namespace
}  // namespace shale
