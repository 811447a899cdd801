#include "shale/base/memory_budget.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto ItemIs(const std::string& name, int64_t bytes) {
  return AllOf(Field(&MemoryBudget::Item::name, name),
               Field(&MemoryBudget::Item::bytes, bytes));
}

TEST(MemoryBudgetTest, ChargesUpToTheCapacityAndNoByteMore) {
  MemoryBudget budget(100);
  MemoryAccount account(budget, "cache");
  EXPECT_OK(account.TryCharge(100));
  EXPECT_THAT(account.TryCharge(1),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("cache wants 1 bytes, has 100; all have 100 "
                                 "of 100")));
  EXPECT_EQ(account.bytes(), 100);
  EXPECT_EQ(budget.used_bytes(), 100);
  account.Release(1);
  EXPECT_OK(account.TryCharge(1));
}

TEST(MemoryBudgetTest, ARefusalIsRightForHugeRequests) {
  MemoryBudget budget(INT64_MAX);
  MemoryAccount account(budget, "cache");
  EXPECT_OK(account.TryCharge(INT64_MAX - 5));
  EXPECT_FALSE(account.TryCharge(INT64_MAX - 5).ok());
  EXPECT_OK(account.TryCharge(5));
}

TEST(MemoryBudgetTest, AForcedChargeGoesAboveAndBlocksOthersUntilItIsPaidBack) {
  MemoryBudget budget(100);
  MemoryAccount forced(budget, "memstore");
  MemoryAccount other(budget, "cache");
  forced.ForceCharge(130);
  EXPECT_EQ(budget.used_bytes(), 130);
  EXPECT_FALSE(other.TryCharge(0).ok());
  EXPECT_FALSE(other.TryCharge(1).ok());
  forced.Release(31);
  EXPECT_OK(other.TryCharge(1));
}

TEST(MemoryBudgetTest, TheBreakdownAddsAccountsOfOneName) {
  MemoryBudget budget(100);
  EXPECT_THAT(budget.Breakdown(), IsEmpty());
  MemoryAccount a(budget, "memstore"), b(budget, "memstore");
  MemoryAccount c(budget, "cache");
  EXPECT_OK(a.TryCharge(1));
  EXPECT_OK(b.TryCharge(2));
  EXPECT_OK(c.TryCharge(4));
  EXPECT_THAT(budget.Breakdown(),
              ElementsAre(ItemIs("cache", 4), ItemIs("memstore", 3)));
}

TEST(MemoryBudgetTest, ADestroyedAccountGivesBackWhatItHeld) {
  MemoryBudget budget(100);
  {
    MemoryAccount account(budget, "cache");
    EXPECT_OK(account.TryCharge(60));
  }
  EXPECT_EQ(budget.used_bytes(), 0);
  EXPECT_THAT(budget.Breakdown(), IsEmpty());
}

TEST(MemoryBudgetTest, AMoveTakesTheChargeAlongAndAnAssignmentGivesTheOldBack) {
  MemoryBudget budget(100);
  MemoryAccount a(budget, "a");
  EXPECT_OK(a.TryCharge(10));
  MemoryAccount b = std::move(a);
  EXPECT_EQ(b.bytes(), 10);
  MemoryAccount c(budget, "c");
  EXPECT_OK(c.TryCharge(5));
  c = std::move(b);
  EXPECT_EQ(c.bytes(), 10);
  EXPECT_EQ(budget.used_bytes(), 10);
  EXPECT_THAT(budget.Breakdown(), ElementsAre(ItemIs("a", 10)));
}

TEST(MemoryBudgetTest, PressureIsReportedAtEachRiseThroughItsThreshold) {
  MemoryBudget budget(100);
  MemoryAccount account(budget, "cache");
  std::vector<int64_t> low, high;
  const auto low_listener =
      budget.OnPressure(50, [&low](int64_t used) { low.push_back(used); });
  const auto high_listener =
      budget.OnPressure(90, [&high](int64_t used) { high.push_back(used); });
  EXPECT_OK(account.TryCharge(49));
  EXPECT_THAT(low, IsEmpty());
  EXPECT_OK(account.TryCharge(1));
  EXPECT_OK(account.TryCharge(10));  // Above already.
  EXPECT_THAT(low, ElementsAre(50));
  account.Release(30);
  account.ForceCharge(80);  // Through both.
  EXPECT_THAT(low, ElementsAre(50, 110));
  EXPECT_THAT(high, ElementsAre(110));
  EXPECT_FALSE(account.TryCharge(1).ok());
  EXPECT_THAT(low, ElementsAre(50, 110));
}

TEST(MemoryBudgetTest, ARemovedListenerIsNotCalled) {
  MemoryBudget budget(100);
  MemoryAccount account(budget, "cache");
  int first = 0, second = 0;
  std::optional<MemoryBudget::PressureListener> listener(
      budget.OnPressure(10, [&first](int64_t) { ++first; }));
  const auto kept = budget.OnPressure(20, [&second](int64_t) { ++second; });
  listener.reset();
  EXPECT_OK(account.TryCharge(30));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST(MemoryBudgetTest, ThreadsNeverExceedTheCapacityAndTheBooksBalance) {
  static constexpr int64_t kCapacity = 1000;
  MemoryBudget budget(kCapacity);
  std::atomic<int64_t> reports = 0;
  const auto listener = budget.OnPressure(900, [&reports](int64_t used) {
    EXPECT_GE(used, 900);
    EXPECT_LE(used, kCapacity);
    ++reports;
  });
  MemoryAccount shared(budget, "shared");
  const uint64_t seed = TestSeed();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&budget, &shared, seed, t] {
      Random random(seed + t);
      MemoryAccount own(budget, "own");
      int64_t in_shared = 0;
      for (int i = 0; i < 5000; ++i) {
        const int64_t bytes = static_cast<int64_t>(random.Uniform(200));
        if (random.OneIn(2)) {
          if (own.TryCharge(bytes).ok() && random.OneIn(2)) own.Release(bytes);
        } else if (shared.TryCharge(bytes).ok()) {
          in_shared += bytes;
        }
        EXPECT_LE(budget.used_bytes(), kCapacity);
        if (random.OneIn(4)) {
          own.Release(own.bytes());
          shared.Release(std::exchange(in_shared, 0));
        }
        if (random.OneIn(100)) budget.Breakdown();
      }
      shared.Release(in_shared);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.bytes(), 0);
  EXPECT_EQ(budget.used_bytes(), 0);
  EXPECT_GT(reports, 0);
}

TEST(MemoryBudgetDeathTest, GivingBackMoreThanHeldIsABug) {
  MemoryBudget budget(100);
  MemoryAccount account(budget, "cache");
  EXPECT_OK(account.TryCharge(5));
  EXPECT_DEATH(account.Release(6), "cache gives back 6 of 5");
}

TEST(MemoryBudgetDeathTest, EndingBeforeAnAccountIsABug) {
  std::optional<MemoryBudget> budget(100);
  MemoryAccount account(*budget, "cache");
  EXPECT_DEATH(budget.reset(), "cache still charges");
}

}  // namespace
}  // namespace shale
