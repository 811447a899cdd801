// Mistakes that systems of this kind have made, under the number by which HBase
// knows them, over every variant. Others are in the tests of what they broke:
// search for the number.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/testing/mvcc_fixture.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// HBASE-22910: the hammer that should have found most of these wasn't run for
// years.
TEST(MvccVariantsTest, EveryVariantIsTested) {
  std::vector<absl::string_view> names;
  for (const MvccVariant& variant : MvccVariants()) {
    names.push_back(variant.name);
  }
  EXPECT_THAT(names, ElementsAre("head_of_line", "prefix", "ring"));
}

class MvccKnownBugsTest : public MvccFixture {
 protected:
  // Runs `step(thread, i)` for i < `steps` on that many threads, while another
  // makes the log durable up to what was appended.
  template <typename Step>
  void Run(Mvcc& mvcc, int threads, int steps, Step step) {
    std::atomic<bool> stop{false};
    std::thread syncer([&] {
      while (!stop) {
        mvcc.MarkDurable(AppendedPosition());
        std::this_thread::yield();
      }
      mvcc.MarkDurable(AppendedPosition());
    });
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([=] {
        for (int i = 0; i < steps; ++i) step(t, i);
      });
    }
    for (std::thread& thread : running) thread.join();
    stop = true;
    syncer.join();
  }

  // A write that is to be durable, after waiting for a slot.
  WriteRange Begin(Mvcc& mvcc) {
    absl::Notification granted;
    mvcc.Reserve([&granted] { granted.Notify(); });
    granted.WaitForNotification();
    return mvcc
        .Begin(1,
               [this](WriteRange range) {
                 absl::MutexLock lock(&mu_);
                 log_.push_back(range.first);
                 ++appended_.value;
                 return Appended{appended_};
               })
        ->range;
  }

  LogPosition AppendedPosition() {
    absl::MutexLock lock(&mu_);
    return appended_;
  }

  absl::Mutex mu_;  // Taken in `append`.
  LogPosition appended_ ABSL_GUARDED_BY(mu_);
  std::vector<WriteNumber> log_ ABSL_GUARDED_BY(mu_);
};

INSTANTIATE_TEST_SUITE_P(Variants, MvccKnownBugsTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

// HBASE-14317, HBASE-14401: a write whose append had failed was never
// completed, and everybody behind it waited for ever.
TEST_P(MvccKnownBugsTest, WriteThatFailsInTheMiddleIsNowhereAndHoldsNobodyUp) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 3});
  const WriteRange before = BeginWrite(*mvcc, 2);
  mvcc->Reserve([] {});
  EXPECT_FALSE(mvcc->Begin(5,
                           [](WriteRange) -> absl::StatusOr<Appended> {
                             return absl::UnavailableError("no room");
                           })
                   .ok());
  mvcc->CancelReservation();
  const WriteRange after = BeginWrite(*mvcc);
  EXPECT_EQ(after.first, before.last + 1);
  mvcc->Complete(after);
  mvcc->Complete(before);
  EXPECT_EQ(mvcc->ReadPoint(), after.last);
  EXPECT_TRUE(mvcc->WaitVisible(after));
}

// HBASE-19966: the failure came before there was an entry to complete.
TEST_P(MvccKnownBugsTest, WriteThatFailsBeforeItBeginsLeavesNothing) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 1});
  for (int i = 0; i < 3; ++i) {
    mvcc->Reserve([] {});
    mvcc->CancelReservation();
  }
  EXPECT_EQ(mvcc->WritePoint(), kNoWriteNumber);
  EXPECT_THAT(mvcc->StuckWrites(absl::ZeroDuration()), IsEmpty());
  mvcc->Complete(BeginWrite(*mvcc));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});
}

// HBASE-16698, HBASE-17471, HBASE-17482: numbers given out beside the log's
// order, so that replay lost data.
TEST_P(MvccKnownBugsTest, LogHasTheNumbersOfAllThreadsInOrder) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
  Run(*mvcc, 8, 200, [&](int, int) { mvcc->MarkInserted(Begin(*mvcc)); });
  absl::MutexLock lock(&mu_);
  ASSERT_EQ(log_.size(), 8u * 200u);
  for (size_t i = 0; i < log_.size(); ++i) {
    ASSERT_EQ(log_[i], WriteNumber{i + 1});
  }
  EXPECT_EQ(mvcc->ReadPoint(), log_.back());
}

// HBASE-14555: putting a write into words took locks, and deadlocked.
TEST_P(MvccKnownBugsTest, StuckWritesAreDescribedUnderLoad) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
  Run(*mvcc, 4, 300, [&](int thread, int) {
    if (thread == 0) {
      for (const std::string& text : mvcc->StuckWrites(absl::ZeroDuration())) {
        ASSERT_THAT(text, testing::StartsWith("region: write #"));
      }
      return;
    }
    const WriteRange range = Begin(*mvcc);
    mvcc->MarkInserted(range);
    ASSERT_TRUE(mvcc->WaitVisible(range));
  });
  EXPECT_THAT(mvcc->StuckWrites(absl::ZeroDuration()), IsEmpty());
}

// HBASE-25442: each move of the read point woke everybody who waited.
TEST_P(MvccKnownBugsTest, OnlyTheRingWakesNobodyInVain) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  Run(*mvcc, 16, 100, [&](int, int) {
    const WriteRange range = Begin(*mvcc);
    mvcc->MarkInserted(range);
    ASSERT_TRUE(mvcc->WaitVisible(range));
  });
  const MvccStats stats = mvcc->stats();
  EXPECT_GT(stats.waits, 0);
  EXPECT_GE(stats.wakes, stats.waits);
  if (absl::string_view(GetParam().name) == "ring") {
    EXPECT_LE(static_cast<double>(stats.wakes),
              1.1 * static_cast<double>(stats.waits));
  }
}

// A queue whose heads leave through their own threads must not wait for a
// thread that isn't there, nor for one that has given up.
TEST_P(MvccKnownBugsTest, WritersThatWaitAndThatDoNotFinishSideBySide) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
  const uint64_t seed = TestSeed();
  std::atomic<int> called{0};
  std::atomic<int> expected{0};
  Run(*mvcc, 8, 200, [&](int thread, int i) {
    Random random(seed + static_cast<uint64_t>(thread * 1000 + i));
    const WriteRange range = Begin(*mvcc);
    const bool callback = random.OneIn(3);
    if (callback) {
      ++expected;
      mvcc->OnVisible(range, [&called] { ++called; });
    }
    if (random.OneIn(8)) {
      mvcc->Complete(range);
    } else {
      mvcc->MarkInserted(range);
    }
    if (thread == 0 && i == 100) mvcc->EndWaits();
    PendingWait wait;
    if (random.OneIn(4)) mvcc->GiveUp(wait);
    if (random.OneIn(3) && mvcc->WaitBarrierUnless(wait)) {
      ASSERT_GE(mvcc->ReadPoint(), range.last);
    }
    if (random.OneIn(2) && mvcc->WaitVisible(range)) {
      ASSERT_GE(mvcc->ReadPoint(), range.last);
    }
  });
  EXPECT_EQ(mvcc->ReadPoint(), mvcc->WritePoint());
  EXPECT_EQ(called, expected);
}

TEST_P(MvccKnownBugsTest, AllWhoWaitForOneWriteGoOn) {
  constexpr int kReaders = 4;
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange write = BeginWrite(*mvcc, 3, {10});
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) {
    const WriteNumber number = write.first + static_cast<uint64_t>(i % 3);
    readers.emplace_back([&, number] {
      EXPECT_TRUE(mvcc->WaitVisible({number, number}));
    });
  }
  while (mvcc->stats().waits < kReaders) std::this_thread::yield();
  mvcc->MarkDurable({10});
  mvcc->MarkInserted(write);
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(mvcc->ReadPoint(), write.last);
}

}  // namespace
}  // namespace shale
