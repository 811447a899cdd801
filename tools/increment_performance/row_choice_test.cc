#include "shale/tools/increment_performance/row_choice.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

TEST(RowChoiceTest, ReadsWhatItWrites) {
  for (const char* const text : {"lockstep", "random:10000", "hot:1"}) {
    const absl::StatusOr<RowChoice> choice = RowChoice::Parse(text, 7);
    ASSERT_OK(choice);
    EXPECT_EQ(choice->Name(), text);
  }
  EXPECT_EQ(RowChoice::Parse("lockstep", 7)->rows, 7);
  EXPECT_EQ(RowChoice::Parse("random:10000", 7)->rows, 10000);
}

TEST(RowChoiceTest, RefusesWhatNamesNoRows) {
  for (const char* const text : {"", "random", "random:", "random:0", "hot:-1",
                                 "hot:x", "cold:1", "hot:4294967296"}) {
    EXPECT_EQ(RowChoice::Parse(text, 7).status().message(),
              absl::StrCat("\"", text,
                           "\" is neither lockstep, random:ROWS nor hot:ROWS"));
  }
}

TEST(RowSequenceTest, LockstepWalksAllRowsAndBeginsAgain) {
  RowSequence rows(*RowChoice::Parse("lockstep", 3), 1);
  for (const int64_t want : {0, 1, 2, 0, 1}) EXPECT_EQ(rows.Next(), want);
}

TEST(RowSequenceTest, RandomRowsAreWithinRangeAndRepeatWithTheSeed) {
  const RowChoice choice = *RowChoice::Parse("random:10", 1);
  RowSequence first(choice, 5);
  RowSequence again(choice, 5);
  std::set<int64_t> seen;
  for (int i = 0; i < 200; ++i) {
    const int64_t row = first.Next();
    EXPECT_EQ(again.Next(), row);
    seen.insert(row);
  }
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 9);
}

}  // namespace
}  // namespace shale
