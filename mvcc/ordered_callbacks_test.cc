#include "shale/mvcc/ordered_callbacks.h"

#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

using ::testing::ElementsAre;

TEST(OrderedCallbacksTest, CallbackAddedByACallbackRunsAfterItReturned) {
  OrderedCallbacks callbacks;
  std::vector<int> ran;
  callbacks.Add([&] {
    callbacks.Add([&ran] { ran.push_back(3); });
    callbacks.Run();
    ran.push_back(1);
  });
  callbacks.Add([&ran] { ran.push_back(2); });
  EXPECT_TRUE(ran.empty());
  callbacks.Run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3));
  callbacks.Run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3));
}

TEST(OrderedCallbacksTest, ThreadThatFindsAnotherAtItLeavesItsCallbackToThat) {
  OrderedCallbacks callbacks;
  absl::Notification running;
  absl::Notification added;
  std::thread::id second;
  callbacks.Add([&] {
    running.Notify();
    added.WaitForNotification();
  });
  std::thread runner([&callbacks] { callbacks.Run(); });
  const std::thread::id runner_id = runner.get_id();
  running.WaitForNotification();
  callbacks.Add([&second] { second = std::this_thread::get_id(); });
  callbacks.Run();
  EXPECT_EQ(second, std::thread::id());
  added.Notify();
  runner.join();
  EXPECT_EQ(second, runner_id);
}

// A line of callbacks in which each adds the next must not use up the stack.
TEST(OrderedCallbacksTest, LongChainRunsInOneFrame) {
  OrderedCallbacks callbacks;
  int left = 100'000;
  struct Link {
    OrderedCallbacks& callbacks;
    int& left;
    void operator()() const {
      if (--left > 0) callbacks.Add(*this);
      callbacks.Run();
    }
  };
  callbacks.Add(Link{callbacks, left});
  callbacks.Run();
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace shale
