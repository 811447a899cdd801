#include "shale/tools/benchmark/run_plan.h"

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(RunPlanTest, VariantsAlternateWithinEachSetting) {
  const std::vector<PlannedRun> plan = InterleavedPlan(2, 2, 2);
  EXPECT_EQ(plan, (std::vector<PlannedRun>{{0, 0, 0},
                                           {0, 0, 1},
                                           {0, 1, 0},
                                           {0, 1, 1},
                                           {1, 0, 0},
                                           {1, 0, 1},
                                           {1, 1, 0},
                                           {1, 1, 1}}));
}

TEST(RunPlanTest, NothingTimesAnythingIsNothing) {
  EXPECT_TRUE(InterleavedPlan(3, 5, 0).empty());
  EXPECT_TRUE(InterleavedPlan(3, 0, 2).empty());
}

}  // namespace
}  // namespace shale
