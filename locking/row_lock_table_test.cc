#include "shale/locking/row_lock_table.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr LockMode kShared = LockMode::kShared;
constexpr LockMode kExclusive = LockMode::kExclusive;
constexpr absl::Duration kNever = absl::InfiniteDuration();

// One thread: "another thread" is another owner here.
class RowLockTableTest : public testing::Test {
 protected:
  // What became of a request.
  struct Outcome {
    bool done = false;
    absl::Status status;
    RowLocks locks;
  };
  using Rows = std::vector<absl::string_view>;

  std::unique_ptr<Outcome> Acquire(const Rows& rows, LockMode mode,
                                   LockOwner owner,
                                   absl::Duration deadline = kNever,
                                   RowLockTable::Ticket* ticket = nullptr) {
    auto outcome = std::make_unique<Outcome>();
    const RowLockTable::Ticket given = table_->Acquire(
        rows, mode, owner, deadline,
        [outcome = outcome.get()](absl::StatusOr<RowLocks> locks) {
          EXPECT_FALSE(outcome->done);
          outcome->done = true;
          outcome->status = locks.status();
          if (locks.ok()) outcome->locks = *std::move(locks);
        });
    if (ticket != nullptr) *ticket = given;
    return outcome;
  }
  std::unique_ptr<Outcome> Acquire(const Rows& rows, LockMode mode) {
    return Acquire(rows, mode, table_->NewOwner());
  }
  bool IsFree(absl::string_view row) {
    return table_->TryAcquire({&row, 1}, kExclusive, table_->NewOwner()).ok();
  }
  void AdvanceTo(absl::Duration time) {
    clock_.AdvanceTo(time);
    executor_.RunUntilIdle();
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, TestSeed()};
  std::optional<RowLockTable> table_{std::in_place, RowLockOptions(), clock_,
                                     executor_};
};

TEST_F(RowLockTableTest, FreeRowsAreGrantedInTheCallingThreadAtOnce) {
  auto all = Acquire({"b", "a", "c"}, kExclusive);
  ASSERT_TRUE(all->done);
  ASSERT_OK(all->status);
  EXPECT_FALSE(IsFree("a") || IsFree("b") || IsFree("c"));
  EXPECT_TRUE(IsFree("d"));
  EXPECT_EQ(table_->stats().rows, 3);
  all->locks.Release();
  all->locks.Release();
  EXPECT_TRUE(IsFree("a") && IsFree("b") && IsFree("c"));
  EXPECT_EQ(table_->stats().rows, 0);
  EXPECT_EQ(table_->stats().waits, 0);
}

TEST_F(RowLockTableTest, NoRowsAreGrantedAtOnce) {
  EXPECT_TRUE(Acquire({}, kExclusive)->done);
}

TEST_F(RowLockTableTest, SameRowTwiceInOneRequestIsOneLock) {
  auto twice = Acquire({"a", "b", "a"}, kExclusive);
  ASSERT_TRUE(twice->done);
  twice->locks.Release();
  EXPECT_TRUE(IsFree("a"));
}

TEST_F(RowLockTableTest, RowIsAnyBytes) {
  const std::string row("\0\xff\n", 3);
  auto held = Acquire({row, ""}, kExclusive);
  ASSERT_TRUE(held->done);
  EXPECT_FALSE(IsFree(row) || IsFree(""));
  EXPECT_TRUE(IsFree(absl::string_view(row.data(), 2)));
}

TEST_F(RowLockTableTest, NamesOfRowsNeedNotOutliveTheCall) {
  auto name = std::make_unique<std::string>(100, 'x');
  auto holder = Acquire({*name}, kExclusive);
  auto waiter = Acquire({"a", *name, "z"}, kExclusive);
  name.reset();
  EXPECT_FALSE(waiter->done);
  holder->locks.Release();
  EXPECT_TRUE(waiter->done);
  EXPECT_FALSE(IsFree(std::string(100, 'x')));
}

TEST_F(RowLockTableTest, WhoWaitsIsGrantedByTheReleaseInOrder) {
  auto holder = Acquire({"a"}, kExclusive);
  auto first = Acquire({"a"}, kExclusive);
  auto second = Acquire({"a"}, kExclusive);
  EXPECT_FALSE(first->done || second->done);
  holder->locks.Release();
  EXPECT_TRUE(first->done);
  EXPECT_FALSE(second->done);
  first->locks = RowLocks();
  EXPECT_TRUE(second->done);
  EXPECT_EQ(table_->stats().waits, 2);
}

TEST_F(RowLockTableTest, WaitingRequestKeepsTheRowsBeforeAndOnlyThose) {
  auto holder = Acquire({"b"}, kExclusive);
  auto waiter = Acquire({"c", "a", "b"}, kExclusive);
  EXPECT_FALSE(waiter->done);
  EXPECT_FALSE(IsFree("a"));
  EXPECT_TRUE(IsFree("c"));
  holder->locks.Release();
  EXPECT_TRUE(waiter->done);
  EXPECT_FALSE(IsFree("c"));
}

TEST_F(RowLockTableTest, RequestWaitsForOneRowAfterTheOther) {
  auto a = Acquire({"a"}, kShared);
  auto b = Acquire({"b"}, kShared);
  auto waiter = Acquire({"a", "b"}, kExclusive);
  b->locks.Release();
  EXPECT_FALSE(waiter->done);
  b = Acquire({"b"}, kShared);
  a->locks.Release();
  EXPECT_FALSE(waiter->done);
  b->locks.Release();
  EXPECT_TRUE(waiter->done);
}

// A9: no wait, retried, neither blocks for ever nor keeps anything meanwhile.
TEST_F(RowLockTableTest, RequestWithoutPatienceEndsAndSucceedsOnRetry) {
  auto holder = Acquire({"b"}, kExclusive);
  const LockOwner batch = table_->NewOwner();
  for (int attempt = 1; attempt <= 5; ++attempt) {
    auto puts = Acquire({"a", "b"}, kShared, batch,
                        absl::Milliseconds(attempt));  // Each waits 1 ms.
    EXPECT_FALSE(puts->done);
    AdvanceTo(absl::Milliseconds(attempt));
    EXPECT_THAT(puts->status, StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_TRUE(IsFree("a"));
  }
  auto late = Acquire({"a", "b"}, kShared, batch, absl::ZeroDuration());
  EXPECT_THAT(late->status, StatusIs(absl::StatusCode::kDeadlineExceeded))
      << "a past deadline ends it at once";
  EXPECT_EQ(table_->stats().waits, 5);
  EXPECT_EQ(table_->stats().timeouts, 5) << "it has not waited";
  holder->locks.Release();
  auto puts = Acquire({"a", "b"}, kShared, batch, absl::ZeroDuration());
  EXPECT_OK(puts->status);
  EXPECT_TRUE(puts->done);
}

// A10
TEST_F(RowLockTableTest, ExclusiveWaitsForAllSharedHoldersUntilItsDeadline) {
  auto one = Acquire({"a"}, kShared);
  auto two = Acquire({"a"}, kShared);
  const LockOwner third = table_->NewOwner();
  auto refused = Acquire({"a"}, kExclusive, third, absl::Seconds(1));
  AdvanceTo(absl::Milliseconds(999));
  EXPECT_FALSE(refused->done);
  AdvanceTo(absl::Seconds(1));
  ASSERT_TRUE(refused->done);
  EXPECT_THAT(refused->status,
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "row \"a\": no exclusive lock after 1s: held shared by "
                       "owner 1, 2, 1 waiting"));
  auto granted = Acquire({"a"}, kExclusive, third, absl::Seconds(2));
  one->locks.Release();
  EXPECT_FALSE(granted->done);
  two->locks.Release();
  EXPECT_TRUE(granted->done);
  EXPECT_OK(granted->status);
}

// A11
TEST_F(RowLockTableTest, OwnerMayTakeARowTwiceAndGivesItBackTwice) {
  const LockOwner owner = table_->NewOwner();
  auto once = Acquire({"a"}, kExclusive, owner);
  auto twice = Acquire({"a"}, kExclusive, owner);
  ASSERT_TRUE(twice->done);
  auto other = Acquire({"a"}, kExclusive);
  once->locks.Release();
  EXPECT_FALSE(other->done);
  twice->locks.Release();
  EXPECT_TRUE(other->done);
}

TEST_F(RowLockTableTest, OneTimerServesManyDeadlines) {
  auto holder = Acquire({"a"}, kExclusive);
  std::vector<std::unique_ptr<Outcome>> waiters;
  for (const int deadline : {7, 3, 9, 3, 1, 8}) {
    waiters.push_back(Acquire({"a"}, kExclusive, table_->NewOwner(),
                              absl::Seconds(deadline)));
  }
  std::map<int, int> done_at;  // Second to how many have ended by then.
  for (int second = 0; second <= 7; ++second) {
    AdvanceTo(absl::Seconds(second));
    for (const auto& waiter : waiters) done_at[second] += waiter->done ? 1 : 0;
  }
  EXPECT_THAT(done_at,
              ElementsAre(std::pair(0, 0), std::pair(1, 1), std::pair(2, 1),
                          std::pair(3, 3), std::pair(4, 3), std::pair(5, 3),
                          std::pair(6, 3), std::pair(7, 4)));
  holder->locks.Release();
  for (const auto& waiter : waiters) waiter->locks.Release();
  for (const auto& waiter : waiters) EXPECT_TRUE(waiter->done);
}

TEST_F(RowLockTableTest, RequestThatExpiresLetsThoseBehindItThrough) {
  auto reader = Acquire({"a"}, kShared);
  auto writer =
      Acquire({"a"}, kExclusive, table_->NewOwner(), absl::Seconds(1));
  std::vector<std::unique_ptr<Outcome>> overtaking;
  for (int i = 0; i < 16; ++i) overtaking.push_back(Acquire({"a"}, kShared));
  EXPECT_TRUE(overtaking.back()->done);
  EXPECT_EQ(table_->stats().overtakes, 16);
  auto behind = Acquire({"a"}, kShared);
  EXPECT_FALSE(behind->done) << "16 have gone ahead of the writer already";
  AdvanceTo(absl::Seconds(1));
  EXPECT_THAT(writer->status, StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_TRUE(behind->done);
}

TEST_F(RowLockTableTest, DeadlineErrorNamesTheRowTheWaitAndTheHolder) {
  AdvanceTo(absl::Seconds(5));
  auto holder = Acquire({"r\x01"}, kExclusive);
  auto waiter =
      Acquire({"r\x01"}, kShared, table_->NewOwner(), absl::Milliseconds(6500));
  AdvanceTo(absl::Seconds(7));
  EXPECT_THAT(waiter->status,
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "row \"r\\x01\": no shared lock after 2s: held "
                       "exclusive by owner 1, 1 waiting"));
}

TEST_F(RowLockTableTest, TryAcquireTakesAllOrNothingAndNeverWaits) {
  auto holder = Acquire({"b"}, kShared);
  const Rows rows = {"a", "b"};
  const LockOwner owner = table_->NewOwner();
  EXPECT_THAT(table_->TryAcquire(rows, kExclusive, owner),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("row \"b\""),
                             HasSubstr("held shared by owner 1"))));
  EXPECT_TRUE(IsFree("a"));
  EXPECT_OK(table_->TryAcquire(rows, kShared, owner));
  EXPECT_EQ(table_->stats().waits, 0);
}

TEST_F(RowLockTableTest, SecondOfTwoUpgradesFailsAtOnceWithNothingHeld) {
  const LockOwner one = table_->NewOwner();
  const LockOwner two = table_->NewOwner();
  auto shared_one = Acquire({"b"}, kShared, one);
  auto shared_two = Acquire({"b"}, kShared, two);
  auto upgrade_one = Acquire({"b"}, kExclusive, one);
  EXPECT_FALSE(upgrade_one->done);
  auto upgrade_two = Acquire({"a", "b", "c"}, kExclusive, two);
  EXPECT_THAT(upgrade_two->status,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("row \"b\""), HasSubstr("upgrade"))));
  EXPECT_TRUE(IsFree("a") && IsFree("c"));
  shared_two->locks.Release();
  EXPECT_TRUE(upgrade_one->done);
  EXPECT_OK(upgrade_one->status);
}

TEST_F(RowLockTableTest, CancelEndsTheWaitAndGivesEverythingBack) {
  auto holder = Acquire({"b"}, kShared);
  RowLockTable::Ticket ticket;
  auto waiter =
      Acquire({"a", "b"}, kExclusive, table_->NewOwner(), kNever, &ticket);
  auto behind = Acquire({"a"}, kExclusive);
  EXPECT_FALSE(behind->done);
  table_->Cancel(ticket);
  EXPECT_THAT(waiter->status,
              StatusIs(absl::StatusCode::kCancelled, HasSubstr("row \"b\"")));
  EXPECT_TRUE(behind->done);
  table_->Cancel(ticket);
  table_->Cancel(RowLockTable::Ticket());
}

TEST_F(RowLockTableTest, CancelComesTooLateForWhatIsGranted) {
  auto holder = Acquire({"a"}, kExclusive);
  RowLockTable::Ticket ticket;
  auto waiter = Acquire({"a"}, kExclusive, table_->NewOwner(), kNever, &ticket);
  holder->locks.Release();
  table_->Cancel(ticket);
  EXPECT_TRUE(waiter->done);
  EXPECT_OK(waiter->status);
  EXPECT_FALSE(IsFree("a"));
}

TEST_F(RowLockTableTest, CallbackMayReleaseAndAcquire) {
  auto holder = Acquire({"a"}, kExclusive);
  std::vector<std::string> ran;
  const absl::string_view row = "a";
  for (const char* name : {"first", "second"}) {
    table_->Acquire({&row, 1}, kExclusive, table_->NewOwner(), kNever,
                    [this, &ran, name](absl::StatusOr<RowLocks> locks) {
                      EXPECT_FALSE(IsFree("a"));
                      locks->Release();
                      ran.push_back(absl::StrCat(name, " done"));
                    });
  }
  holder->locks.Release();
  EXPECT_THAT(ran, ElementsAre("first done", "second done"))
      << "not one callback within another";
  EXPECT_TRUE(IsFree("a"));
}

TEST_F(RowLockTableTest, LongLineOfCallbacksKeepsNoThreadAndNoStack) {
  auto holder = Acquire({"a"}, kExclusive);
  int ran = 0;
  const absl::string_view row = "a";
  for (int i = 0; i < 50'000; ++i) {
    table_->Acquire(
        {&row, 1}, kExclusive, table_->NewOwner(), kNever,
        [&ran](absl::StatusOr<RowLocks> locks) { ran += locks.ok() ? 1 : 0; });
  }
  holder->locks.Release();
  EXPECT_EQ(ran, RowLockTable::kMaxCarriedOn);
  executor_.RunUntilIdle();
  EXPECT_EQ(ran, 50'000);
}

TEST_F(RowLockTableTest, TableMayGoWithATimerStillSet) {
  {
    auto holder = Acquire({"a"}, kExclusive);
    auto waiter =
        Acquire({"a"}, kExclusive, table_->NewOwner(), absl::Seconds(1));
    holder->locks.Release();
  }
  table_.reset();
  AdvanceTo(absl::Seconds(2));
}

TEST_F(RowLockTableTest, LocksThatOutliveTheTableAreCaught) {
  auto holder = Acquire({"a"}, kExclusive);
  EXPECT_DEATH(table_.reset(), "1 rows are locked, such as \"a\"");
}

}  // namespace
}  // namespace shale
