#include "shale/base/testing/deterministic_executor.h"

#include <set>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> OrderUnder(uint64_t seed, int tasks) {
  ManualClock clock;
  DeterministicExecutor executor(clock, seed);
  std::vector<int> order;
  for (int i = 0; i < tasks; ++i) {
    executor.Schedule([&order, i] { order.push_back(i); });
  }
  executor.RunUntilIdle();
  return order;
}

TEST(DeterministicExecutorTest, OneSeedGivesOneOrder) {
  const uint64_t seed = TestSeed();
  EXPECT_EQ(OrderUnder(seed, 50), OrderUnder(seed, 50));
}

TEST(DeterministicExecutorTest, ManySeedsGiveAllOrders) {
  std::set<std::vector<int>> orders;
  for (int i = 0; i < 300; ++i) orders.insert(OrderUnder(TestSeed() + i, 3));
  EXPECT_EQ(orders.size(), 6);
}

TEST(DeterministicExecutorTest, RunOneRunsOneAndSaysWhenThereIsNone) {
  ManualClock clock;
  DeterministicExecutor executor(clock, TestSeed());
  int ran = 0;
  executor.Schedule([&ran] { ++ran; });
  executor.Schedule([&ran] { ++ran; });
  EXPECT_TRUE(executor.RunOne());
  EXPECT_EQ(ran, 1);
  EXPECT_TRUE(executor.RunOne());
  EXPECT_FALSE(executor.RunOne());
  EXPECT_EQ(ran, 2);
}

TEST(DeterministicExecutorTest, TimeMovesOnlyWhenTold) {
  ManualClock clock;
  DeterministicExecutor executor(clock, TestSeed());
  std::vector<int> ran;
  executor.ScheduleAt(absl::Seconds(2), [&ran] { ran.push_back(2); });
  executor.ScheduleAt(absl::Seconds(1), [&ran] { ran.push_back(1); });
  executor.RunUntilIdle();
  EXPECT_THAT(ran, IsEmpty());

  EXPECT_TRUE(executor.AdvanceToNextTimer());
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(1));
  executor.RunUntilIdle();
  EXPECT_THAT(ran, ElementsAre(1));

  EXPECT_TRUE(executor.AdvanceToNextTimer());
  executor.RunUntilIdle();
  EXPECT_THAT(ran, ElementsAre(1, 2));
  EXPECT_FALSE(executor.AdvanceToNextTimer());
}

}  // namespace
}  // namespace shale
