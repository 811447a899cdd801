#include "shale/tools/benchmark/sample.h"

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(SampleTest, TheMedianIsTheMiddleValueWhateverTheirOrder) {
  EXPECT_EQ(Sample({5, 1, 9}).median(), 5);
  EXPECT_EQ(Sample({4, 1, 2, 9}).median(), 3);
  EXPECT_EQ(Sample({7}).median(), 7);
}

TEST(SampleTest, OneBadRepetitionOfFiveDoesNotWidenTheSpread) {
  EXPECT_EQ(Sample({10, 11, 12, 13, 14}).spread(), 2);
  EXPECT_EQ(Sample({10, 11, 12, 13, 1000}).spread(), 2);
  EXPECT_DOUBLE_EQ(Sample({10, 11, 12, 13, 14}).relative_spread(), 2.0 / 12);
}

TEST(SampleTest, WithoutValuesEverythingIsZero) {
  const Sample none;
  EXPECT_EQ(none.median(), 0);
  EXPECT_EQ(none.max(), 0);
  EXPECT_EQ(none.spread(), 0);
  EXPECT_EQ(none.relative_spread(), 0);
}

TEST(SampleTest, ARatioComparesRepetitionsThatRanSideBySide) {
  // The machine became twice as slow half-way, for both.
  const Sample ratio = Ratio(Sample({40, 40, 20, 20}), Sample({10, 10, 5, 5}));
  EXPECT_EQ(ratio.values(), std::vector<double>({4, 4, 4, 4}));
  EXPECT_EQ(ratio.spread(), 0);
}

TEST(SampleTest, ARatioLeavesOutWhatHasNoCounterpart) {
  EXPECT_EQ(Ratio(Sample({6, 8, 9}), Sample({0, 2})).values(),
            std::vector<double>({4}));
}

}  // namespace
}  // namespace shale
