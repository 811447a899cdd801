#include "shale/tools/increment_performance/acknowledged.h"

#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using Threads = std::vector<std::vector<Acknowledged>>;

TEST(AcknowledgedTest, AnswersOfARowMayComeInAnyOrderFromAnyThread) {
  EXPECT_OK(CheckIncrements(Threads{{{0, 2}, {1, 1}}, {{0, 1}, {0, 3}}},
                            std::vector<int64_t>{3, 1, 0}));
}

TEST(AcknowledgedTest, ACounterThatIsOneShortIsFound) {
  EXPECT_EQ(CheckIncrements(Threads{{{0, 1}, {0, 2}, {1, 1}}},
                            std::vector<int64_t>{2, 0})
                .message(),
            "row 1: the counter is 0, and 1 increments were acknowledged");
}

TEST(AcknowledgedTest, ACounterThatIsOneAheadIsFound) {
  EXPECT_EQ(
      CheckIncrements(Threads{{{0, 1}}}, std::vector<int64_t>{2}).message(),
      "row 0: the counter is 2, and 1 increments were acknowledged");
}

TEST(AcknowledgedTest, AnAnswerGivenTwiceIsFound) {
  EXPECT_EQ(CheckIncrements(Threads{{{0, 1}, {0, 3}}, {{0, 1}}},
                            std::vector<int64_t>{3})
                .message(),
            "row 0: the answers to its 3 increments should be 1 to 3, each "
            "once; in place of 2 there is 1");
}

}  // namespace
}  // namespace shale
