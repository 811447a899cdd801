// What every variant of Mvcc must do, one thread at a time.

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/testing/mvcc_fixture.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MvccConformanceTest : public MvccFixture {};

INSTANTIATE_TEST_SUITE_P(Variants, MvccConformanceTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

// A1
TEST_P(MvccConformanceTest, EachWriteMovesBothPointsByItsNumbers) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  EXPECT_EQ(mvcc->ReadPoint(), kNoWriteNumber);
  EXPECT_EQ(mvcc->WritePoint(), kNoWriteNumber);
  const WriteRange one = BeginWrite(*mvcc);
  EXPECT_EQ(one, (WriteRange{{1}, {1}}));
  mvcc->Complete(one);
  EXPECT_TRUE(mvcc->WaitVisible(one));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});
  const WriteRange batch = BeginWrite(*mvcc, 3);
  EXPECT_EQ(batch, (WriteRange{{2}, {4}}));
  EXPECT_EQ(mvcc->WritePoint(), WriteNumber{4});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});
  mvcc->Complete(batch);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{4});
}

// A3
TEST_P(MvccConformanceTest, AdvanceToMovesBothPointsForwardOnly) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  ASSERT_OK(mvcc->AdvanceTo({5}));
  ASSERT_OK(mvcc->AdvanceTo({100}));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{100});
  EXPECT_EQ(mvcc->WritePoint(), WriteNumber{100});
  ASSERT_OK(mvcc->AdvanceTo({50}));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{100});
  EXPECT_EQ(mvcc->WritePoint(), WriteNumber{100});
  EXPECT_EQ(BeginWrite(*mvcc).first, WriteNumber{101});
}

TEST_P(MvccConformanceTest, AdvanceToRefusesWhileAWriteIsUnfinished) {
  const std::unique_ptr<Mvcc> mvcc = Create({.owner = "t1,aaa"});
  const WriteRange write = BeginWrite(*mvcc, 1, {10});
  mvcc->MarkInserted(write);
  EXPECT_THAT(mvcc->AdvanceTo({50}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("t1,aaa: can't advance to #50")));
  EXPECT_EQ(mvcc->WritePoint(), WriteNumber{1});
  mvcc->MarkDurable({10});
  ASSERT_OK(mvcc->AdvanceTo({50}));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{50});
}

// A4, HBASE-14317
TEST_P(MvccConformanceTest, FailedAppendMintsNothingAndHoldsNobodyUp) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 1});
  ASSERT_OK(mvcc->AdvanceTo({10}));
  mvcc->Reserve([] {});
  const absl::StatusOr<BeginResult> failed =
      mvcc->Begin(2, [](WriteRange) -> absl::StatusOr<Appended> {
        return absl::FailedPreconditionError("log is closed");
      });
  EXPECT_THAT(failed,
              StatusIs(absl::StatusCode::kFailedPrecondition, "log is closed"));
  EXPECT_EQ(mvcc->WritePoint(), WriteNumber{10});
  // The one slot is still reserved, so it is enough for this.
  const absl::StatusOr<BeginResult> next =
      mvcc->Begin(1, [](WriteRange) { return Appended{}; });
  ASSERT_OK(next);
  EXPECT_EQ(next->range.first, WriteNumber{11});
  mvcc->Complete(next->range);
  EXPECT_TRUE(mvcc->WaitVisible(next->range));
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{11});
  EXPECT_EQ(mvcc->stats().waits, 0);
}

TEST_P(MvccConformanceTest, AppendSeesTheRangeThatBeginReturns) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  mvcc->Reserve([] {});
  WriteRange seen;
  ASSERT_OK_AND_ASSIGN(const BeginResult begun,
                       mvcc->Begin(4, [&seen](WriteRange range) {
                         seen = range;
                         return Appended{{77}};
                       }));
  EXPECT_EQ(seen, begun.range);
  EXPECT_EQ(begun.durable_at, LogPosition{77});
}

TEST_P(MvccConformanceTest, WriteFinishesOnceInsertedAndDurableInEitherOrder) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange insert_first = BeginWrite(*mvcc, 1, {10});
  mvcc->MarkInserted(insert_first);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{0});
  mvcc->MarkDurable({9});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{0});
  mvcc->MarkDurable({10});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});

  const WriteRange sync_first = BeginWrite(*mvcc, 1, {20});
  mvcc->MarkDurable({25});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});
  mvcc->MarkInserted(sync_first);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{2});
}

TEST_P(MvccConformanceTest, DurablePositionDoesNotGoBack) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange write = BeginWrite(*mvcc, 1, {10});
  mvcc->MarkDurable({30});
  mvcc->MarkDurable({5});
  mvcc->MarkInserted(write);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{1});
}

TEST_P(MvccConformanceTest, OneSyncFinishesTheWholePrefixAtOnce) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  for (uint64_t i = 1; i <= 10; ++i) {
    mvcc->MarkInserted(BeginWrite(*mvcc, 1, {i * 10}));
  }
  mvcc->MarkDurable({75});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{7});
  mvcc->MarkDurable({100});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{10});
  // Or one by one, which is what head_of_line is about.
  EXPECT_EQ(mvcc->stats().advances, IsHeadOfLine() ? 10 : 2);
}

TEST_P(MvccConformanceTest, WriteThatWaitsForNoLogStillWaitsForOlderWrites) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange synced = BeginWrite(*mvcc, 1, {10});
  const WriteRange skipped = BeginWrite(*mvcc, 1, kLogStart);
  mvcc->MarkInserted(skipped);
  mvcc->MarkInserted(synced);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{0});
  mvcc->MarkDurable({10});
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{2});
}

TEST_P(MvccConformanceTest, CompleteWaitsForNoDurability) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange first = BeginWrite(*mvcc, 1, {10});
  const WriteRange second = BeginWrite(*mvcc, 1, {20});
  mvcc->Complete(second);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{0});
  mvcc->Complete(first);
  EXPECT_EQ(mvcc->ReadPoint(), WriteNumber{2});
}

// All orders in which k writes can be completed, k <= 7.
TEST_P(MvccConformanceTest, ReadPointIsThePrefixInEveryOrderOfCompletion) {
  for (size_t k = 1; k <= 7; ++k) {
    std::vector<size_t> order(k);
    std::iota(order.begin(), order.end(), 0);
    do {
      const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
      std::vector<WriteRange> writes;
      for (size_t i = 0; i < k; ++i) {
        writes.push_back(BeginWrite(*mvcc, static_cast<int64_t>(i % 3) + 1));
      }
      std::vector<bool> done(k);
      for (const size_t i : order) {
        mvcc->Complete(writes[i]);
        done[i] = true;
        const size_t prefix =
            std::find(done.begin(), done.end(), false) - done.begin();
        ASSERT_EQ(mvcc->ReadPoint(),
                  prefix == 0 ? kNoWriteNumber : writes[prefix - 1].last)
            << testing::PrintToString(order);
      }
      ASSERT_EQ(mvcc->ReadPoint(), mvcc->WritePoint());
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// All orders of k inserts and k syncs, k <= 4: event i < k inserts write i,
// event k + i makes the log durable up to it.
TEST_P(MvccConformanceTest, ReadPointIsThePrefixInEveryOrderOfInsertAndSync) {
  for (size_t k = 1; k <= 4; ++k) {
    std::vector<size_t> order(2 * k);
    std::iota(order.begin(), order.end(), 0);
    do {
      const std::unique_ptr<Mvcc> mvcc = Create({.slots = 8});
      std::vector<WriteRange> writes;
      for (size_t i = 0; i < k; ++i) {
        writes.push_back(BeginWrite(*mvcc, 2, {i + 1}));
      }
      std::vector<bool> inserted(k);
      size_t durable = 0;
      for (const size_t event : order) {
        if (event < k) {
          mvcc->MarkInserted(writes[event]);
          inserted[event] = true;
        } else {
          mvcc->MarkDurable({event - k + 1});
          durable = std::max(durable, event - k + 1);
        }
        const size_t prefix = std::min<size_t>(
            durable, std::find(inserted.begin(), inserted.end(), false) -
                         inserted.begin());
        ASSERT_EQ(mvcc->ReadPoint(), WriteNumber{2 * prefix})
            << testing::PrintToString(order);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// HBASE-26407: ran late and out of order.
TEST_P(MvccConformanceTest, OnVisibleRunsOnceEachInNumberOrder) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  std::vector<WriteRange> writes;
  for (int i = 0; i < 6; ++i) writes.push_back(BeginWrite(*mvcc));
  std::vector<int> ran;
  for (const int i : {4, 1, 5, 0, 3, 2}) {
    mvcc->OnVisible(writes[i], [&ran, &mvcc, &writes, i] {
      EXPECT_GE(mvcc->ReadPoint(), writes[i].last);
      ran.push_back(i);
    });
  }
  for (const int i : {5, 2, 1}) mvcc->Complete(writes[i]);
  EXPECT_THAT(ran, IsEmpty());
  mvcc->Complete(writes[0]);
  EXPECT_THAT(ran, ElementsAre(0, 1, 2));
  mvcc->Complete(writes[4]);
  mvcc->Complete(writes[3]);
  EXPECT_THAT(ran, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_P(MvccConformanceTest, OnVisibleOfAVisibleNumberRunsAtOnce) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange batch = BeginWrite(*mvcc, 3);
  bool ran = false;
  const WriteRange middle{{2}, {2}};
  mvcc->OnVisible(middle, [&ran] { ran = true; });
  EXPECT_FALSE(ran) << "a batch is visible all at once";
  mvcc->Complete(batch);
  EXPECT_TRUE(ran);
  ran = false;
  mvcc->OnVisible(middle, [&ran] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST_P(MvccConformanceTest, CallbackMayCallBackIn) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange first = BeginWrite(*mvcc);
  std::vector<uint64_t> ran;
  mvcc->OnVisible(first, [&] {
    const WriteRange second = BeginWrite(*mvcc);
    mvcc->OnVisible(second, [&] {
      ran.push_back(2);
      EXPECT_EQ(mvcc->Pin().read_point(), WriteNumber{2});
    });
    mvcc->Complete(second);
    EXPECT_THAT(ran, IsEmpty()) << "not one callback within another";
    ran.push_back(1);
  });
  mvcc->Complete(first);
  EXPECT_THAT(ran, ElementsAre(1, 2));
}

TEST_P(MvccConformanceTest, BarrierWaitsForOlderWritesAndForNoLaterOnes) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 3});
  bool idle = false;
  mvcc->Barrier([&idle] { idle = true; });
  EXPECT_TRUE(idle);
  EXPECT_EQ(mvcc->stats().barriers, 0);

  const WriteRange older = BeginWrite(*mvcc);
  const WriteRange old = BeginWrite(*mvcc);
  bool passed = false;
  mvcc->Barrier([&passed] { passed = true; });
  const WriteRange later = BeginWrite(*mvcc);  // The last slot.
  mvcc->Complete(old);
  EXPECT_FALSE(passed);
  mvcc->Complete(older);
  EXPECT_TRUE(passed);
  EXPECT_EQ(mvcc->stats().barriers, 1);
  mvcc->Complete(later);
}

// A5, HBASE-6311: compaction dropped what an open scanner needed.
TEST_P(MvccConformanceTest, SmallestPinnedIsTheOldestLivePin) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  ASSERT_OK(mvcc->AdvanceTo({10}));
  ReadPin scanner = mvcc->Pin();
  EXPECT_EQ(scanner.read_point(), WriteNumber{10});
  ASSERT_OK(mvcc->AdvanceTo({20}));
  EXPECT_EQ(mvcc->SmallestPinned(), WriteNumber{10});
  scanner.Reset();
  EXPECT_EQ(mvcc->SmallestPinned(), WriteNumber{20});
}

TEST_P(MvccConformanceTest, PinsOfOneReadPointAreCounted) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  ASSERT_OK(mvcc->AdvanceTo({10}));
  ReadPin one = mvcc->Pin();
  ReadPin two = mvcc->Pin();
  ReadPin moved = std::move(two);
  ASSERT_OK(mvcc->AdvanceTo({20}));
  const ReadPin later = mvcc->Pin();
  ASSERT_OK(mvcc->AdvanceTo({30}));
  one.Reset();
  one.Reset();
  two.Reset();  // Moved from: pins nothing.
  EXPECT_EQ(mvcc->SmallestPinned(), WriteNumber{10});
  moved = ReadPin();
  EXPECT_EQ(mvcc->SmallestPinned(), WriteNumber{20});
}

TEST_P(MvccConformanceTest, PinStaysBelowUnfinishedWrites) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  mvcc->Complete(BeginWrite(*mvcc));
  const WriteRange unfinished = BeginWrite(*mvcc);
  mvcc->Complete(BeginWrite(*mvcc));
  const ReadPin pin = mvcc->Pin();
  EXPECT_EQ(pin.read_point(), WriteNumber{1});
  mvcc->Complete(unfinished);
  EXPECT_EQ(pin.read_point(), WriteNumber{1});
  EXPECT_EQ(mvcc->SmallestPinned(), WriteNumber{1});
}

TEST_P(MvccConformanceTest, ReservationsBeyondTheSlotsAreGrantedInOrder) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 2});
  const WriteRange first = BeginWrite(*mvcc);
  const WriteRange second = BeginWrite(*mvcc);
  std::vector<int> granted;
  for (int i = 0; i < 4; ++i) {
    mvcc->Reserve([&granted, i] { granted.push_back(i); });
  }
  EXPECT_THAT(granted, IsEmpty());
  mvcc->Complete(second);
  EXPECT_THAT(granted, IsEmpty()) << "a slot is in use until it is visible";
  EXPECT_FALSE(mvcc->TryReserve());
  mvcc->Complete(first);
  EXPECT_THAT(granted, ElementsAre(0, 1));
  EXPECT_FALSE(mvcc->TryReserve());
  mvcc->CancelReservation();
  EXPECT_THAT(granted, ElementsAre(0, 1, 2));
  mvcc->CancelReservation();
  EXPECT_THAT(granted, ElementsAre(0, 1, 2, 3));
  mvcc->CancelReservation();
  mvcc->CancelReservation();
  // Both are free again.
  EXPECT_TRUE(mvcc->TryReserve());
  mvcc->CancelReservation();
  mvcc->Complete(BeginWrite(*mvcc));
  BeginWrite(*mvcc);
  BeginWrite(*mvcc);
}

// HBASE-15451: waited although it was visible already.
TEST_P(MvccConformanceTest, SingleWriterNeverParks) {
  const std::unique_ptr<Mvcc> mvcc = Create({.slots = 1});
  for (uint64_t i = 1; i <= 1000; ++i) {
    const WriteRange write = BeginWrite(*mvcc, 2, {i});
    mvcc->MarkInserted(write);
    mvcc->MarkDurable({i});
    ASSERT_TRUE(mvcc->WaitVisible(write));
  }
  EXPECT_EQ(mvcc->stats().waits, 0);
  EXPECT_EQ(mvcc->stats().wakes, 0);
  EXPECT_EQ(mvcc->stats().advances, 1000);
}

TEST_P(MvccConformanceTest, EndedWaitsDontPark) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const WriteRange visible = BeginWrite(*mvcc);
  mvcc->Complete(visible);
  const WriteRange stuck = BeginWrite(*mvcc, 1, {10});
  mvcc->MarkInserted(stuck);
  mvcc->EndWaits();
  mvcc->EndWaits();
  PendingWait wait;
  EXPECT_TRUE(mvcc->WaitVisible(visible));
  EXPECT_FALSE(mvcc->WaitVisible(stuck));
  EXPECT_FALSE(mvcc->WaitBarrierUnless(wait));
  mvcc->MarkDurable({10});
  EXPECT_TRUE(mvcc->WaitVisible(stuck));
  EXPECT_TRUE(mvcc->WaitBarrierUnless(wait));
  EXPECT_EQ(mvcc->stats().waits, 0);
}

TEST_P(MvccConformanceTest, StuckWritesSayWhatEachWaitsFor) {
  const std::unique_ptr<Mvcc> mvcc = Create({.owner = "t1,aaa"});
  const WriteRange log_waits = BeginWrite(*mvcc, 2, {500});
  mvcc->MarkInserted(log_waits);
  clock_.Advance(absl::Seconds(2));
  BeginWrite(*mvcc, 1, {600});
  const WriteRange blocked = BeginWrite(*mvcc);
  mvcc->MarkInserted(blocked);
  clock_.Advance(absl::Seconds(10));
  mvcc->MarkInserted(BeginWrite(*mvcc));
  mvcc->MarkDurable({480});
  EXPECT_THAT(
      mvcc->StuckWrites(absl::Seconds(10)),
      ElementsAre("t1,aaa: write #1..#2, 12s old: inserted, waits for the log "
                  "to be durable up to @500, is @480",
                  "t1,aaa: write #3..#3, 10s old: not inserted",
                  "t1,aaa: write #4..#4, 10s old: finished, waits for #1"));
  EXPECT_THAT(mvcc->StuckWrites(absl::Seconds(13)), IsEmpty());
}

TEST_P(MvccConformanceTest, CallbacksThatStillWaitAreDroppedWithTheObject) {
  auto alive = std::make_shared<int>();
  std::unique_ptr<Mvcc> mvcc = Create({.slots = 1});
  const WriteRange write = BeginWrite(*mvcc);
  mvcc->OnVisible(write, [alive] { ADD_FAILURE() << "never visible"; });
  mvcc->Barrier([alive] { ADD_FAILURE() << "never passed"; });
  mvcc->Reserve([alive] { ADD_FAILURE() << "never granted"; });
  mvcc.reset();
  EXPECT_EQ(alive.use_count(), 1);
}

using MvccConformanceDeathTest = MvccConformanceTest;

INSTANTIATE_TEST_SUITE_P(Variants, MvccConformanceDeathTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

TEST_P(MvccConformanceDeathTest, MisuseIsCaught) {
  const std::unique_ptr<Mvcc> mvcc = Create();
  const auto append = [](WriteRange) { return Appended{}; };
  EXPECT_DEATH(mvcc->Begin(1, append).IgnoreError(), "no slot is reserved");
  EXPECT_DEATH(mvcc->CancelReservation(), "no slot is reserved");
  mvcc->Reserve([] {});
  EXPECT_DEATH(mvcc->Begin(0, append).IgnoreError(), "count 0");
  mvcc->CancelReservation();
  EXPECT_DEATH(mvcc->OnVisible({{1}, {1}}, [] {}), "not an unfinished write");

  const WriteRange write = BeginWrite(*mvcc, 2);
  EXPECT_DEATH(mvcc->MarkInserted({{1}, {1}}), "is not the write");
  BeginWrite(*mvcc);
  const WriteRange later = BeginWrite(*mvcc);
  mvcc->MarkInserted(later);
  EXPECT_DEATH(mvcc->MarkInserted(later), "marked already");
  EXPECT_DEATH(mvcc->Complete(later), "marked already");
  mvcc->Complete(write);
  EXPECT_DEATH(mvcc->Complete(write), "not an unfinished write");
}

}  // namespace
}  // namespace shale
