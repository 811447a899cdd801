// What every variant of --//region:increment promises, with each variant of the
// seams that it works with.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/region/increment_variants.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

struct Combination {
  std::string name;
  RegionComponents components;
};

// mvcc x increment, then sequencer x increment.
std::vector<Combination> Combinations() {
  std::vector<Combination> combinations;
  for (const IncrementVariant& increment : IncrementVariants()) {
    for (const MvccVariant& mvcc : MvccVariants()) {
      RegionComponents components = DefaultRegionComponents();
      components.increment = increment.create;
      components.mvcc = mvcc.create;
      combinations.push_back({absl::StrCat(increment.name, "_", mvcc.name),
                              std::move(components)});
    }
    for (const RowCommitSequencerVariant& sequencer :
         RowCommitSequencerVariants()) {
      RegionComponents components = DefaultRegionComponents();
      components.increment = increment.create;
      components.commit_sequencer = sequencer.create;
      combinations.push_back({absl::StrCat(increment.name, "_", sequencer.name),
                              std::move(components)});
    }
  }
  return combinations;
}

HostOptions WithComponents(const RegionComponents& components) {
  HostOptions options;
  options.components = components;
  return options;
}

class IncrementConformanceTest : public testing::TestWithParam<Combination> {
 protected:
  TestHost host_{TestHost::Schema(), {}, WithComponents(GetParam().components)};
};

int64_t Counter(absl::string_view value) {
  return static_cast<int64_t>(DecodeBigEndian64(value.data()));
}

TEST_P(IncrementConformanceTest, CountsFromZeroAndReturnsTheSum) {
  const UpdateResult first =
      host_.region().Increment(Increment("r").Add("f", "q", 5));
  ASSERT_THAT(first.status, IsOk());
  EXPECT_EQ(Counter(*first.row.Value("f", "q")), 5);
  const UpdateResult second =
      host_.region().Increment(Increment("r").Add("f", "q", -7));
  ASSERT_THAT(second.status, IsOk());
  EXPECT_EQ(Counter(*second.row.Value("f", "q")), -2);
  EXPECT_GT(second.row.cells[0].timestamp, first.row.cells[0].timestamp);
  host_.Reopen();
  const absl::StatusOr<RowResult> row = host_.region().Read({"r", {}});
  ASSERT_THAT(row, IsOk());
  EXPECT_EQ(row->cells, second.row.cells);
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementConformanceTest,
                         testing::ValuesIn(Combinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
