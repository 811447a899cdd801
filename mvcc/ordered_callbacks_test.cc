#include "shale/mvcc/ordered_callbacks.h"

#include <atomic>
#include <cstddef>
#include <functional>
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

// As long as others add, there is something to run; but they run it.
TEST(OrderedCallbacksTest, AThreadIsRelievedOfWhatOthersKeepAdding) {
  OrderedCallbacks callbacks;
  std::atomic<bool> relieved = false;
  std::vector<size_t> ran;
  const auto add = [&](size_t i) {
    callbacks.Add([&ran, i] { ran.push_back(i); });
  };
  absl::Notification running;
  std::thread other([&] {
    running.WaitForNotification();
    for (size_t i = 1; !relieved; ++i) {
      add(i);
      callbacks.Run();
    }
  });
  callbacks.Add([&] {
    ran.push_back(0);
    running.Notify();
  });
  callbacks.Run();
  // Nothing left, or relieved: in both cases it is not kept.
  relieved = true;
  other.join();
  callbacks.Run();
  for (size_t i = 0; i < ran.size(); ++i) ASSERT_EQ(ran[i], i);
}

// Three callbacks, each of which adds another as long as the first thread runs
// it: there is always something to run, and more of it than the one at hand.
TEST(OrderedCallbacksTest, WhoComesAfterAThreadsTurnGoesOnInOrder) {
  OrderedCallbacks callbacks;
  std::vector<size_t> ran;
  size_t next = 0;
  std::thread::id first_id;
  absl::Notification begun;
  std::atomic<bool> relieved = false;
  std::function<void()> add_next = [&] {
    callbacks.Add([&, i = next++] {
      ran.push_back(i);
      if (i == 0) begun.Notify();
      if (std::this_thread::get_id() == first_id) {
        add_next();
      } else {
        relieved = true;
      }
    });
  };
  for (int i = 0; i < 3; ++i) add_next();
  std::thread first([&] {
    first_id = std::this_thread::get_id();
    callbacks.Run();
  });
  std::thread second([&] {
    begun.WaitForNotification();
    while (!relieved) callbacks.Run();
  });
  first.join();
  second.join();
  callbacks.Run();
  EXPECT_EQ(ran.size(), next);
  for (size_t i = 0; i < ran.size(); ++i) ASSERT_EQ(ran[i], i);
}

}  // namespace
}  // namespace shale
