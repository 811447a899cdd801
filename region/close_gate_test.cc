#include "shale/region/close_gate.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(CloseGateTest, LetsNobodyInOnceClosed) {
  CloseGate gate;
  EXPECT_TRUE(gate.Enter());
  gate.Leave();
  EXPECT_FALSE(gate.closed());
  EXPECT_TRUE(gate.Close());
  EXPECT_TRUE(gate.closed());
  EXPECT_FALSE(gate.Enter());
  EXPECT_FALSE(gate.EnterUnlessShut());
  EXPECT_FALSE(gate.Close()) << "another call closed it";
}

TEST(CloseGateTest, WhileItClosesThoseInsideMayBeHelped) {
  CloseGate gate;
  ASSERT_TRUE(gate.Enter());
  std::atomic<bool> shut = false;
  std::thread closer([&] {
    EXPECT_TRUE(gate.Close());
    shut = true;
  });
  while (!gate.closed()) std::this_thread::yield();
  EXPECT_FALSE(gate.Enter());
  ASSERT_TRUE(gate.EnterUnlessShut());
  gate.EnterAgain();
  gate.Leave();
  gate.Leave();
  EXPECT_FALSE(shut);
  gate.Leave();
  closer.join();
  EXPECT_FALSE(gate.EnterUnlessShut());
}

// Run under the thread sanitizer: `done` is no atomic, and the gate goes as
// soon as Close returns.
TEST(CloseGateTest, WhatWasDoneInsideIsSeenByWhoClosesAndNobodyIsInside) {
  constexpr int kThreads = 4;
  for (int round = 0; round < 200; ++round) {
    auto gate = std::make_unique<CloseGate>();
    std::vector<int> done(kThreads);
    // Whoever is to enter is inside, so that the gate can't go before.
    for (int t = 0; t < kThreads; ++t) ASSERT_TRUE(gate->Enter());
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 10; ++i) {
          if (!gate->Enter()) break;
          ++done[t];
          gate->Leave();
        }
        ++done[t];
        gate->Leave();
      });
    }
    EXPECT_TRUE(gate->Close());
    for (int t = 0; t < kThreads; ++t) EXPECT_GE(done[t], 1);
    gate.reset();
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace shale
