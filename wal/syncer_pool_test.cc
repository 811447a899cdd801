#include "shale/wal/syncer_pool.h"

#include <atomic>
#include <cstdint>
#include <limits>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

// A19, HBASE-14759.
TEST(SyncerPoolTest, TurnsMayWrapAround) {
  SyncerPool pool(5, std::numeric_limits<uint64_t>::max() - 4);
  absl::BlockingCounter ran(10);
  for (int i = 0; i < 10; ++i) pool.Hand([&ran] { ran.DecrementCount(); });
  ran.Wait();
}

TEST(SyncerPoolTest, SyncersWorkAtOneTime) {
  SyncerPool pool(2);
  absl::Notification first;
  absl::Notification second;
  pool.Hand([&] {
    second.WaitForNotification();
    first.Notify();
  });
  pool.Hand([&] { second.Notify(); });
  first.WaitForNotification();
}

TEST(SyncerPoolTest, WhatWasHandedOutRunsBeforeThePoolIsGone) {
  std::atomic<int> ran = 0;
  {
    SyncerPool pool(3);
    for (int i = 0; i < 100; ++i) pool.Hand([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace shale
