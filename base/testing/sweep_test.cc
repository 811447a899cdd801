#include "shale/base/testing/sweep.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace shale {
namespace {

class SweepTest : public testing::Test {
 protected:
  // A value from outside must not count.
  SweepTest() {
    unsetenv("SHALE_SWEEP_STRIDE");
    unsetenv("SHALE_TEST_SEED");
  }
  ~SweepTest() override {
    unsetenv("SHALE_SWEEP_STRIDE");
    unsetenv("SHALE_TEST_SEED");
  }
};

TEST_F(SweepTest, TriesEveryPointUnlessTold) {
  const Sweep sweep = SweepFrom(2);
  EXPECT_EQ(sweep.first, 2);
  EXPECT_EQ(sweep.stride, 1);
}

TEST_F(SweepTest, AStrideBeginsWhereTheSeedSays) {
  setenv("SHALE_SWEEP_STRIDE", "5", 1);
  setenv("SHALE_TEST_SEED", "13", 1);
  const Sweep sweep = SweepFrom(1);
  EXPECT_EQ(sweep.first, 1 + 13 % 5);
  EXPECT_EQ(sweep.stride, 5);
}

TEST_F(SweepTest, AStrideThatIsNoneAborts) {
  setenv("SHALE_SWEEP_STRIDE", "0", 1);
  EXPECT_DEATH(SweepFrom(1), "SHALE_SWEEP_STRIDE is 0");
  setenv("SHALE_SWEEP_STRIDE", "all", 1);
  EXPECT_DEATH(SweepFrom(1), "SHALE_SWEEP_STRIDE is no number: all");
}

}  // namespace
}  // namespace shale
