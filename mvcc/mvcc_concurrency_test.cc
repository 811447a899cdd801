// Every variant of Mvcc under many threads. Meant for --config=tsan as well:
// all loops are bounded by a count, none by time.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/blocking_counter.h"
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

class MvccConcurrencyTest : public MvccFixture {
 protected:
  // A log in a few numbers: append adds a byte, a sync covers all of them.
  class Log {
   public:
    Appended Append() { return {{appended_.fetch_add(1) + 1}}; }
    LogPosition appended() const { return {appended_.load()}; }

   private:
    std::atomic<uint64_t> appended_{0};  // Sequentially consistent: a test.
  };

  static bool WaitBarrier(Mvcc& mvcc) {
    PendingWait wait;
    return mvcc.WaitBarrierUnless(wait);
  }

  static void ReserveAndWait(Mvcc& mvcc) {
    absl::Notification granted;
    mvcc.Reserve([&granted] { granted.Notify(); });
    granted.WaitForNotification();
  }

  static WriteRange ReserveAndBegin(Mvcc& mvcc, int64_t count,
                                    absl::FunctionRef<Appended()> append) {
    ReserveAndWait(mvcc);
    const absl::StatusOr<BeginResult> begun =
        mvcc.Begin(count, [append](WriteRange) { return append(); });
    EXPECT_TRUE(begun.ok()) << begun.status();
    return begun->range;
  }
};

INSTANTIATE_TEST_SUITE_P(Variants, MvccConcurrencyTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

// A2, with a syncing thread and a pinning reader beside the polling one.
TEST_P(MvccConcurrencyTest, ReadPointNeverGoesBackUnderManyWriters) {
  constexpr int kWriters = 20;
  constexpr int kWritesEach = 200;
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
  Log log;
  // What is visible must have been inserted: bit per number, set before
  // marking.
  std::vector<std::atomic<bool>> inserted(kWriters * kWritesEach * 3 + 1);
  std::atomic<bool> stop{false};
  const uint64_t seed = TestSeed();

  std::thread syncer([&] {
    while (!stop) {
      mvcc->MarkDurable(log.appended());
      std::this_thread::yield();
    }
  });
  std::thread poller([&] {
    WriteNumber last = kNoWriteNumber;
    while (!stop) {
      const WriteNumber now = mvcc->ReadPoint();
      ASSERT_GE(now, last);
      for (uint64_t n = last.value + 1; n <= now.value; ++n) {
        ASSERT_TRUE(inserted[n].load(std::memory_order_relaxed)) << n;
      }
      last = now;
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      Random random(seed + static_cast<uint64_t>(w));
      for (int i = 0; i < kWritesEach; ++i) {
        const bool durable = !random.OneIn(4);
        const WriteRange range = ReserveAndBegin(
            *mvcc, 1 + static_cast<int64_t>(random.Uniform(3)),
            [&] { return durable ? log.Append() : Appended{kLogStart}; });
        for (uint64_t n = range.first.value; n <= range.last.value; ++n) {
          inserted[n].store(true, std::memory_order_relaxed);
        }
        if (random.OneIn(4)) {
          mvcc->Complete(range);
        } else {
          mvcc->MarkInserted(range);
        }
        ASSERT_TRUE(mvcc->WaitVisible(range));
        ASSERT_GE(mvcc->ReadPoint(), range.last);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  syncer.join();
  poller.join();
  EXPECT_EQ(mvcc->ReadPoint(), mvcc->WritePoint());
  EXPECT_TRUE(mvcc->StuckWrites(absl::ZeroDuration()).empty());
}

TEST_P(MvccConcurrencyTest, CallbacksOfManyThreadsRunInNumberOrder) {
  constexpr int kWriters = 8;
  constexpr int kWritesEach = 300;
  const std::unique_ptr<Mvcc> mvcc = Create();
  // Touched by callbacks alone: without a lock, since they run one at a time.
  std::vector<WriteNumber> order;
  absl::BlockingCounter ran(kWriters * kWritesEach);
  std::vector<std::thread> writers;
  // Holds the others up for a while, so that a long run of them goes at once.
  const WriteRange first = BeginWrite(*mvcc);
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kWritesEach; ++i) {
        if (w == 0 && i == 20) mvcc->Complete(first);
        const WriteRange range =
            ReserveAndBegin(*mvcc, 1, [] { return Appended{}; });
        // Registered before it is marked: so it has to wait.
        mvcc->OnVisible(range, [&, number = range.last] {
          order.push_back(number);
          ran.DecrementCount();
        });
        mvcc->MarkInserted(range);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  ran.Wait();
  ASSERT_EQ(order.size(), kWriters * kWritesEach);
  for (size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(order[i], first.last + (i + 1));
  }
}

// HBASE-15213, the cause of each variant's speed: N parked threads whose writes
// finish in reverse order, and the head last of all.
TEST_P(MvccConcurrencyTest, ReverseCompletionHerdsOnlyBehindTheHeadOfLine) {
  constexpr int kParked = 64;
  const std::unique_ptr<Mvcc> mvcc = Create();
  std::vector<WriteRange> writes;
  for (int i = 0; i <= kParked; ++i) writes.push_back(BeginWrite(*mvcc));
  std::vector<std::thread> writers;
  for (int i = kParked; i > 0; --i) {
    writers.emplace_back([&, i] {
      mvcc->Complete(writes[i]);
      EXPECT_TRUE(mvcc->WaitVisible(writes[i]));
    });
    while (mvcc->stats().waits < kParked + 1 - i) std::this_thread::yield();
  }
  EXPECT_EQ(mvcc->stats().wakes, 0);
  mvcc->Complete(writes[0]);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(mvcc->stats().waits, kParked);
  if (IsHeadOfLine()) {
    EXPECT_GE(mvcc->stats().wakes, kParked * kParked / 4);
    EXPECT_EQ(mvcc->stats().advances, kParked + 1);
  } else {
    EXPECT_EQ(mvcc->stats().wakes, kParked);
    EXPECT_EQ(mvcc->stats().advances, 1);
  }
}

// The slow increment of HBASE-15031: its barrier is an entry of its own, which
// leaves through its own thread and doubles the head of line's queue. As above,
// with a barrier behind each write.
TEST_P(MvccConcurrencyTest, BarriersDoubleTheHerdBehindTheHeadOfLine) {
  constexpr int kParked = 32;
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange head = BeginWrite(*mvcc);
  std::vector<WriteRange> writes;
  std::vector<std::thread> threads;
  const auto wait_for_all = [&] {
    while (mvcc->stats().waits < static_cast<int64_t>(threads.size())) {
      std::this_thread::yield();
    }
  };
  for (int i = 0; i < kParked; ++i) {
    writes.push_back(BeginWrite(*mvcc));
    threads.emplace_back([&] { EXPECT_TRUE(WaitBarrier(*mvcc)); });
    wait_for_all();
  }
  for (int i = kParked - 1; i >= 0; --i) {
    threads.emplace_back([&, i] {
      mvcc->Complete(writes[i]);
      EXPECT_TRUE(mvcc->WaitVisible(writes[i]));
    });
    wait_for_all();
  }
  const int64_t wakes_before = mvcc->stats().wakes;
  mvcc->Complete(head);
  for (std::thread& thread : threads) thread.join();
  const MvccStats stats = mvcc->stats();
  EXPECT_EQ(stats.waits, 2 * kParked);
  EXPECT_EQ(stats.barriers, kParked);
  if (IsHeadOfLine()) {
    EXPECT_GE(stats.wakes - wakes_before, kParked * kParked / 2);
    EXPECT_EQ(stats.advances, kParked + 1) << "a barrier has no number";
  } else {
    EXPECT_EQ(stats.wakes - wakes_before, 2 * kParked);
    EXPECT_EQ(stats.advances, 1);
  }
}

TEST_P(MvccConcurrencyTest, ParkedBarrierWaitsForNoLaterWrite) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 3});
  const WriteRange older = BeginWrite(*mvcc, 2);
  std::thread barrier([&] { EXPECT_TRUE(WaitBarrier(*mvcc)); });
  while (mvcc->stats().waits < 1) std::this_thread::yield();
  const WriteRange later = BeginWrite(*mvcc);
  const WriteRange last = BeginWrite(*mvcc);  // A barrier has no slot.
  EXPECT_THAT(mvcc->AdvanceTo({9}).message(),
              testing::EndsWith("3 writes are unfinished, the oldest #1"));
  EXPECT_EQ(mvcc->StuckWrites(absl::ZeroDuration()).size(), 3u);
  mvcc->Complete(last);
  mvcc->Complete(older);
  barrier.join();
  EXPECT_EQ(mvcc->ReadPoint(), older.last);
  mvcc->Complete(later);
  EXPECT_EQ(mvcc->ReadPoint(), last.last);
  ReserveAndWait(*mvcc);
  ReserveAndWait(*mvcc);
  ReserveAndWait(*mvcc);
}

TEST_P(MvccConcurrencyTest, BarrierThatGivesUpIsFreedAndHoldsNobodyUp) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange older = BeginWrite(*mvcc);
  std::array<PendingWait, 3> waits;
  std::vector<std::thread> impatient;
  std::thread patient;
  const auto wait_for = [&](int waits) {
    while (mvcc->stats().waits < waits) std::this_thread::yield();
  };
  const auto give_up = [&](size_t i) {
    EXPECT_FALSE(mvcc->WaitBarrierUnless(waits[i]));
  };
  // One ahead of a patient one, one in the middle of writes, one at the end.
  impatient.emplace_back(give_up, 0);
  wait_for(1);
  patient = std::thread([&] { EXPECT_TRUE(WaitBarrier(*mvcc)); });
  wait_for(2);
  impatient.emplace_back(give_up, 1);
  wait_for(3);
  const WriteRange later = BeginWrite(*mvcc);
  impatient.emplace_back(give_up, 2);
  wait_for(4);
  for (PendingWait& wait : waits) mvcc->GiveUp(wait);
  for (std::thread& thread : impatient) thread.join();
  EXPECT_FALSE(mvcc->WaitBarrierUnless(waits[0])) << "does not park";
  mvcc->Complete(later);
  mvcc->Complete(older);
  patient.join();
  EXPECT_EQ(mvcc->ReadPoint(), later.last);
  EXPECT_TRUE(mvcc->WaitBarrierUnless(waits[0])) << "all is visible";
  EXPECT_TRUE(mvcc->AdvanceTo({10}).ok());
}

// A poisoned log (HBASE-14317): whoever waits for it must get an answer.
TEST_P(MvccConcurrencyTest, EndWaitsFreesWhoeverIsParked) {
  constexpr int kWriters = 8;
  const std::unique_ptr<Mvcc> mvcc = Create();
  std::vector<WriteRange> writes;
  for (uint64_t i = 1; i <= kWriters; ++i) {
    writes.push_back(BeginWrite(*mvcc, 1, {i}));
    mvcc->MarkInserted(writes.back());
  }
  std::vector<std::thread> writers;
  for (const WriteRange& write : writes) {
    writers.emplace_back([&] { EXPECT_FALSE(mvcc->WaitVisible(write)); });
    writers.emplace_back([&] { EXPECT_FALSE(WaitBarrier(*mvcc)); });
  }
  while (mvcc->stats().waits < 2 * kWriters) std::this_thread::yield();
  mvcc->EndWaits();
  for (std::thread& writer : writers) writer.join();
  // No writer's thread is left behind in the queue: it still moves.
  mvcc->MarkDurable({kWriters});
  EXPECT_EQ(mvcc->ReadPoint(), mvcc->WritePoint());
}

TEST_P(MvccConcurrencyTest, OneThatGivesUpIsFreedAndTheOthersWaitOn) {
  constexpr int kPatient = 8;
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange first = BeginWrite(*mvcc, 1, {1});
  mvcc->MarkInserted(first);
  PendingWait wait;
  std::thread impatient(
      [&] { EXPECT_FALSE(mvcc->WaitVisibleUnless(first, wait)); });
  std::vector<std::thread> patient;
  for (uint64_t i = 2; i < 2 + kPatient; ++i) {
    const WriteRange write = BeginWrite(*mvcc, 1, {i});
    mvcc->MarkInserted(write);
    patient.emplace_back(
        [&mvcc, write] { EXPECT_TRUE(mvcc->WaitVisible(write)); });
  }
  while (mvcc->stats().waits < 1 + kPatient) std::this_thread::yield();
  mvcc->GiveUp(wait);
  mvcc->GiveUp(wait);
  impatient.join();
  EXPECT_FALSE(mvcc->WaitVisibleUnless(first, wait)) << "does not park";
  mvcc->MarkDurable({1 + kPatient});
  for (std::thread& thread : patient) thread.join();
  EXPECT_TRUE(mvcc->WaitVisibleUnless(first, wait)) << "it is visible";
  if (absl::string_view(GetParam().name) == "ring") {
    EXPECT_EQ(mvcc->stats().wakes, 1 + kPatient) << "nobody in vain";
  }
}

// HBASE-27458: many short scans at a time.
TEST_P(MvccConcurrencyTest, SmallestPinnedStaysBelowEveryPinAndNeverGoesBack) {
  constexpr int kReaders = 4;
  constexpr int kPinsEach = 2000;
  const std::unique_ptr<Mvcc> mvcc = Create();
  std::atomic<int> reading{kReaders};
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&] {
      std::vector<ReadPin> held(3);
      for (int i = 0; i < kPinsEach; ++i) {
        ReadPin pin = mvcc->Pin();
        ASSERT_LE(mvcc->SmallestPinned(), pin.read_point());
        held[static_cast<size_t>(i) % held.size()] = std::move(pin);
        for (const ReadPin& other : held) {
          if (i < 3) continue;
          ASSERT_LE(mvcc->SmallestPinned(), other.read_point());
        }
      }
      --reading;
    });
  }
  std::thread compaction([&] {
    WriteNumber last = kNoWriteNumber;
    while (reading > 0) {
      const WriteNumber now = mvcc->SmallestPinned();
      ASSERT_GE(now, last);
      last = now;
    }
  });
  while (reading > 0) mvcc->Complete(BeginWrite(*mvcc));
  for (std::thread& reader : readers) reader.join();
  compaction.join();
  EXPECT_EQ(mvcc->SmallestPinned(), mvcc->ReadPoint());
}

TEST_P(MvccConcurrencyTest, BarriersPassWhileWritersGoOn) {
  constexpr int kBarriers = 500;
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 16});
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([&] {
      while (!stop) {
        mvcc->MarkInserted(
            ReserveAndBegin(*mvcc, 2, [] { return Appended{}; }));
      }
    });
  }
  for (int i = 0; i < kBarriers; ++i) {
    const WriteNumber begun = mvcc->WritePoint();
    absl::Notification passed;
    mvcc->Barrier([&passed] { passed.Notify(); });
    passed.WaitForNotification();
    ASSERT_GE(mvcc->ReadPoint(), begun);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace shale
