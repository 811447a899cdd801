#include "shale/mvcc/ordered_callbacks.h"

#include <cstddef>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/thread_pool_executor.h"

namespace shale {
namespace {

using ::testing::ElementsAre;

class OrderedCallbacksTest : public testing::Test {
 protected:
  ManualClock clock_;
  DeterministicExecutor executor_{clock_, /*seed=*/1};
};

TEST_F(OrderedCallbacksTest, CallbackAddedByACallbackRunsAfterItReturned) {
  OrderedCallbacks callbacks(executor_);
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

TEST_F(OrderedCallbacksTest,
       ThreadThatFindsAnotherAtItLeavesItsCallbackToThat) {
  OrderedCallbacks callbacks(executor_);
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
TEST_F(OrderedCallbacksTest, LongChainRunsInOneFrame) {
  OrderedCallbacks callbacks(executor_);
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
  executor_.RunUntilIdle();
  EXPECT_EQ(left, 0);
}

// A caller has something of its own to go on with, however much others add.
TEST_F(OrderedCallbacksTest, NoThreadIsKeptForEver) {
  OrderedCallbacks callbacks(executor_);
  constexpr size_t kMax = OrderedCallbacks::kMaxRun;
  std::vector<size_t> ran;
  size_t added = 0;
  struct Link {
    OrderedCallbacks& callbacks;
    std::vector<size_t>& ran;
    size_t& added;
    size_t number;
    void operator()() const {
      ran.push_back(number);
      if (added < 10 * kMax)
        callbacks.Add(Link{callbacks, ran, added, ++added});
    }
  };
  callbacks.Add(Link{callbacks, ran, added, ++added});
  callbacks.Run();
  EXPECT_EQ(ran.size(), kMax);
  // The executor's from here on, for others too.
  callbacks.Run();
  EXPECT_EQ(ran.size(), kMax);
  EXPECT_TRUE(executor_.RunOne());
  EXPECT_EQ(ran.size(), 2 * kMax);
  executor_.RunUntilIdle();
  ASSERT_EQ(ran.size(), 10 * kMax);
  for (size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], i + 1);
}

TEST_F(OrderedCallbacksTest, WhatWasNotBegunGoesWithIt) {
  bool ran = false;
  {
    OrderedCallbacks callbacks(executor_);
    callbacks.Add([&ran] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

// The executor has its turn before, though there is nothing left for it.
TEST_F(OrderedCallbacksTest, ItOutlivesTheTurnOfTheExecutor) {
  ThreadPoolExecutor executor(/*threads=*/1, clock_);
  for (int round = 0; round < 100; ++round) {
    OrderedCallbacks callbacks(executor);
    for (size_t i = 0; i < OrderedCallbacks::kMaxRun; ++i) {
      callbacks.Add([] {});
    }
    callbacks.Run();
  }
}

}  // namespace
}  // namespace shale
