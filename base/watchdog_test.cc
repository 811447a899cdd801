#include "shale/base/watchdog.h"

#include <memory>

#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

class WatchdogTest : public testing::Test {
 protected:
  std::unique_ptr<Watchdog> Start() {
    return std::make_unique<Watchdog>(executor_, absl::Seconds(10), [this] {
      ++looks_;
      return clock_.Monotonic() + absl::Seconds(5);
    });
  }
  void AdvanceTo(absl::Duration time) {
    clock_.AdvanceTo(time);
    executor_.RunUntilIdle();
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  int looks_ = 0;
};

TEST_F(WatchdogTest, LooksWhenTheLastLookSaid) {
  const auto watchdog = Start();
  AdvanceTo(absl::Seconds(9));
  EXPECT_EQ(looks_, 0);
  AdvanceTo(absl::Seconds(10));
  EXPECT_EQ(looks_, 1);
  AdvanceTo(absl::Seconds(14));
  EXPECT_EQ(looks_, 1);
  AdvanceTo(absl::Seconds(15));
  EXPECT_EQ(looks_, 2);
}

TEST_F(WatchdogTest, NeverLooksOnceItIsGone) {
  Start();
  AdvanceTo(absl::Seconds(100));
  EXPECT_EQ(looks_, 0);
}

}  // namespace
}  // namespace shale
