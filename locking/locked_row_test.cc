#include "shale/locking/locked_row.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace shale {
namespace {

using Answer = LockedRow::Answer;

constexpr LockMode kShared = LockMode::kShared;
constexpr LockMode kExclusive = LockMode::kExclusive;
constexpr LockOwner kA{1}, kB{2}, kC{3}, kD{4};

class LockedRowTest : public testing::Test {
 protected:
  LockedRowTest() { row_.Reset("r", 0); }

  Answer Take(LockOwner owner, LockMode mode, int64_t max_bypass = 2) {
    return row_.Take(owner, mode, max_bypass);
  }
  // Joins the queue, as after kMustWait.
  void Wait(LockOwner owner, LockMode mode) {
    requests_.push_back(std::make_unique<LockRequest>());
    requests_.back()->owner = owner;
    requests_.back()->mode = mode;
    row_.Wait(*requests_.back());
  }
  // Grants to all that can have it now; their ids.
  std::vector<uint64_t> GrantAll() {
    std::vector<uint64_t> owners;
    while (LockRequest* request = row_.GrantNext()) {
      owners.push_back(request->owner.id);
    }
    return owners;
  }

  LockedRow row_;
  std::vector<std::unique_ptr<LockRequest>> requests_;
};

using Ids = std::vector<uint64_t>;

TEST_F(LockedRowTest, SharedHoldersKeepAnExclusiveOneOut) {
  EXPECT_EQ(Take(kA, kShared), Answer::kGranted);
  EXPECT_EQ(Take(kB, kShared), Answer::kGranted);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kMustWait);
  row_.Release(kA, kShared);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kMustWait);
  row_.Release(kB, kShared);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kGranted);
  EXPECT_EQ(Take(kA, kShared), Answer::kMustWait);
}

TEST_F(LockedRowTest, SharedWaitersInALineAreGrantedTogether) {
  ASSERT_EQ(Take(kA, kExclusive), Answer::kGranted);
  Wait(kB, kShared);
  Wait(kC, kShared);
  Wait(kD, kExclusive);
  Wait({5}, kShared);
  EXPECT_EQ(GrantAll(), Ids());
  row_.Release(kA, kExclusive);
  EXPECT_EQ(GrantAll(), Ids({2, 3}));
  row_.Release(kB, kShared);
  EXPECT_EQ(GrantAll(), Ids());
  row_.Release(kC, kShared);
  EXPECT_EQ(GrantAll(), Ids({4}));
  row_.Release(kD, kExclusive);
  EXPECT_EQ(GrantAll(), Ids({5}));
}

TEST_F(LockedRowTest, OwnerGetsAgainWhatItHoldsAndEachIsCounted) {
  ASSERT_EQ(Take(kA, kExclusive), Answer::kGranted);
  EXPECT_EQ(Take(kA, kExclusive), Answer::kGranted);
  EXPECT_EQ(Take(kA, kShared), Answer::kGranted);
  row_.Release(kA, kExclusive);
  EXPECT_EQ(Take(kB, kShared), Answer::kMustWait);
  row_.Release(kA, kExclusive);
  // What is left is shared.
  EXPECT_EQ(Take(kB, kShared), Answer::kGranted);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kMustWait);
  row_.Release(kA, kShared);
  row_.Release(kB, kShared);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kGranted);
}

TEST_F(LockedRowTest, LoneSharedHolderIsUpgradedAheadOfThoseWhoWait) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  Wait(kB, kExclusive);
  EXPECT_EQ(Take(kA, kExclusive, 0), Answer::kGranted);
  EXPECT_EQ(row_.overtakings(), 0U) << "they couldn't have had it";
  row_.Release(kA, kExclusive);
  row_.Release(kA, kShared);
  EXPECT_EQ(GrantAll(), Ids({2}));
}

TEST_F(LockedRowTest, UpgradeBesideOtherHoldersWaitsAtTheHead) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  ASSERT_EQ(Take(kB, kShared), Answer::kGranted);
  Wait(kC, kExclusive);
  ASSERT_EQ(Take(kA, kExclusive), Answer::kMustWait);
  Wait(kA, kExclusive);
  row_.Release(kB, kShared);
  EXPECT_EQ(GrantAll(), Ids({1}));
  row_.Release(kA, kExclusive);
  EXPECT_EQ(GrantAll(), Ids()) << "A still holds it shared";
  row_.Release(kA, kShared);
  EXPECT_EQ(GrantAll(), Ids({3}));
}

TEST_F(LockedRowTest, SecondOfTwoUpgradesIsADeadlock) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  ASSERT_EQ(Take(kB, kShared), Answer::kGranted);
  ASSERT_EQ(Take(kA, kExclusive), Answer::kMustWait);
  Wait(kA, kExclusive);
  EXPECT_EQ(Take(kB, kExclusive), Answer::kDeadlock);
  EXPECT_EQ(Take(kC, kExclusive), Answer::kMustWait) << "C holds nothing";
  row_.Release(kB, kShared);
  EXPECT_EQ(GrantAll(), Ids({1}));
}

TEST_F(LockedRowTest, HolderThatGaveItsSharedLockBackWaitsLikeAnyOther) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  ASSERT_EQ(Take(kB, kShared), Answer::kGranted);
  Wait(kA, kExclusive);
  row_.Release(kA, kShared);
  EXPECT_EQ(GrantAll(), Ids());
  row_.Release(kB, kShared);
  EXPECT_EQ(GrantAll(), Ids({1}));
}

TEST_F(LockedRowTest, NewcomersOvertakeAWaiterOnlySoOften) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  Wait(kB, kExclusive);
  EXPECT_EQ(Take({10}, kShared), Answer::kGranted);
  Wait(kC, kExclusive);
  EXPECT_EQ(Take({11}, kShared), Answer::kGranted);
  EXPECT_EQ(Take({12}, kShared), Answer::kMustWait) << "B was overtaken twice";
  EXPECT_EQ(Take({10}, kShared), Answer::kGranted) << "it holds it already";
  EXPECT_EQ(row_.overtakings(), 2U);
}

TEST_F(LockedRowTest, UpgradeAtTheHeadDoesNotHideAnOlderWaiter) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  Wait(kB, kExclusive);
  ASSERT_EQ(Take(kC, kShared), Answer::kGranted);
  ASSERT_EQ(Take(kD, kShared), Answer::kGranted);
  Wait(kC, kExclusive);
  EXPECT_EQ(Take({10}, kShared), Answer::kMustWait) << "B was overtaken twice";
}

TEST_F(LockedRowTest, NobodyOvertakesWhereTheBoundIsZero) {
  ASSERT_EQ(Take(kA, kShared, 0), Answer::kGranted);
  EXPECT_EQ(Take(kB, kShared, 0), Answer::kGranted) << "nobody waits";
  Wait(kC, kExclusive);
  EXPECT_EQ(Take(kD, kShared, 0), Answer::kMustWait);
}

TEST_F(LockedRowTest, WaiterThatLeavesLetsThoseBehindItThrough) {
  ASSERT_EQ(Take(kA, kShared), Answer::kGranted);
  Wait(kB, kExclusive);
  Wait(kC, kShared);
  EXPECT_EQ(GrantAll(), Ids());
  row_.StopWaiting(*requests_[0]);
  EXPECT_EQ(GrantAll(), Ids({3}));
}

TEST_F(LockedRowTest, DescriptionNamesTheFirstHolders) {
  EXPECT_EQ(row_.Describe(), "free, 0 waiting");
  ASSERT_EQ(Take(kB, kExclusive), Answer::kGranted);
  Wait(kA, kShared);
  EXPECT_EQ(row_.Describe(), "held exclusive by owner 2, 1 waiting");
  row_.Release(kB, kExclusive);
  GrantAll();
  for (uint64_t id = 2; id <= 5; ++id) Take({id}, kShared);
  EXPECT_EQ(row_.Describe(),
            "held shared by owner 1, 2, 3 and 2 more, 0 waiting");
}

TEST_F(LockedRowTest, ReleaseOfWhatIsNotHeldIsCaught) {
  EXPECT_DEATH(row_.Release(kA, kShared), "owner 1 holds nothing");
  Take(kA, kShared);
  EXPECT_DEATH(row_.Release(kA, kExclusive), "owner 1 holds it otherwise");
}

}  // namespace
}  // namespace shale
