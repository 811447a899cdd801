#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/allocation_count.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/locking/row_lock_table.h"

namespace shale {
namespace {

class RowLockAllocationTest : public testing::TestWithParam<int> {};

TEST_P(RowLockAllocationTest, LockingFreeRowsAgainAndAgainAllocatesNothing) {
  ManualClock clock;
  DeterministicExecutor executor(clock, 1);
  RowLockTable table({.shards = 1}, clock, executor);
  std::vector<std::string> rows(
      GetParam(), "a key too long to be kept inside a string object, 0000");
  const auto lock = [&](int i) {
    absl::InlinedVector<absl::string_view, 4> views;
    for (size_t r = 0; r < rows.size(); ++r) {
      rows[r].front() = static_cast<char>('a' + r);
      rows[r].back() = static_cast<char>('0' + i % 10);
      views.push_back(rows[r]);
    }
    table.Acquire(
        views, LockMode::kExclusive, table.NewOwner(), absl::InfiniteDuration(),
        [](absl::StatusOr<RowLocks> locks) { EXPECT_TRUE(locks.ok()); });
  };
  for (int i = 0; i < 10; ++i) lock(i);
  const int64_t before = AllocationCount();
  ASSERT_GT(before, 0) << "nothing is counted";
  for (int i = 0; i < 10'000; ++i) lock(i);
  EXPECT_EQ(AllocationCount() - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Rows, RowLockAllocationTest, testing::Values(1, 4));

}  // namespace
}  // namespace shale
