#include "shale/filesystem/task_group.h"

#include <atomic>
#include <memory>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/thread_pool_executor.h"

namespace shale {
namespace {

TEST(TaskGroupTest, JoinRunsWhatHasNotBegun) {
  ManualClock clock;
  DeterministicExecutor executor(clock, 1);
  TaskGroup group(executor);
  std::vector<int> ran;
  group.Run([&] {
    ran.push_back(1);
    group.Run([&] { ran.push_back(3); });
  });
  group.Run([&] { ran.push_back(2); });
  group.Join();
  EXPECT_THAT(ran, testing::ElementsAre(1, 2, 3));
  executor.RunUntilIdle();  // Comes to nothing.
  EXPECT_THAT(ran, testing::ElementsAre(1, 2, 3));
}

TEST(TaskGroupTest, JoinWaitsForTasksOfOtherThreads) {
  ThreadPoolExecutor executor(4, RealClock());
  std::atomic<int> ran = 0;  // Read after the joins.
  for (int round = 1; round <= 100; ++round) {
    TaskGroup group(executor);
    for (int i = 0; i < 10; ++i) {
      group.Run([&] { ran.fetch_add(1, std::memory_order_relaxed); });
    }
    group.Join();
    EXPECT_EQ(ran.load(), round * 10);
  }
}

TEST(TaskGroupTest, ATaskMayDestroyItsGroup) {
  ThreadPoolExecutor executor(1, RealClock());
  auto group = std::make_unique<TaskGroup>(executor);
  TaskGroup& alias = *group;
  absl::Notification begin, done;
  bool other = false;
  alias.Run([&] {
    begin.WaitForNotification();
    group.reset();
    EXPECT_TRUE(other);
    done.Notify();
  });
  alias.Run([&] { other = true; });
  begin.Notify();
  done.WaitForNotification();
}

}  // namespace
}  // namespace shale
