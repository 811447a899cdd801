#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/allocation_count.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer_variants.h"

namespace shale {
namespace {

class RowCommitSequencerAllocationTest
    : public testing::TestWithParam<RowCommitSequencerVariant> {};

INSTANTIATE_TEST_SUITE_P(Variants, RowCommitSequencerAllocationTest,
                         testing::ValuesIn(RowCommitSequencerVariants()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(RowCommitSequencerAllocationTest,
       TimestampsWithoutAWaitAllocateNothing) {
  ManualClock clock;
  DeterministicExecutor executor(clock, 1);
  const auto sequencer = GetParam().create(clock, executor);
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back(absl::StrCat("row", i));
  const std::vector<absl::string_view> rows(names.begin(), names.end());
  const absl::Span<const absl::string_view> batch = rows;
  int assigned = 0;
  // In each tick a large commit and some small ones.
  const auto commit = [&] {
    sequencer->Assign(batch.subspan(0, 900), [&](Timestamp) { ++assigned; });
    for (int i = 900; i < 1000; ++i) {
      sequencer->Assign(batch.subspan(i, 1), [&](Timestamp) { ++assigned; });
    }
    clock.Advance(absl::Milliseconds(1));
  };
  for (int i = 0; i < 3; ++i) commit();
  const int64_t before = AllocationCount();
  ASSERT_GT(before, 0) << "nothing is counted";
  for (int i = 0; i < 100; ++i) commit();
  EXPECT_EQ(AllocationCount() - before, 0);
  EXPECT_EQ(assigned, 103 * 101);
}

}  // namespace
}  // namespace shale
