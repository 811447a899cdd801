#include "shale/region/testing/linearizability_checker.h"

#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace shale {
namespace {

using Kind = CounterOperation::Kind;
using History = std::vector<CounterOperation>;

CounterOperation Count(int64_t delta, int64_t sum, int64_t called,
                       int64_t returned) {
  return {Kind::kIncrement, delta, {}, sum, called, returned};
}
CounterOperation Put(int64_t value, int64_t called, int64_t returned) {
  return {Kind::kPut, value, {}, {}, called, returned};
}
CounterOperation Delete(int64_t called, int64_t returned) {
  return {Kind::kDelete, 0, {}, {}, called, returned};
}
CounterOperation PutIf(std::optional<int64_t> expected, int64_t value,
                       bool matched, int64_t called, int64_t returned) {
  return {Kind::kCheckAndPut, value, expected, matched, called, returned};
}
CounterOperation Read(std::optional<int64_t> value, int64_t called,
                      int64_t returned) {
  return {Kind::kRead, 0, {}, value, called, returned};
}

TEST(LinearizabilityCheckerTest, AcceptsWhatOneThreadDoes) {
  EXPECT_TRUE(IsLinearizable({}));
  EXPECT_TRUE(IsLinearizable({Read({}, 1, 2), Count(5, 5, 3, 4), Read(5, 5, 6),
                              Put(7, 7, 8), Count(1, 8, 9, 10), Delete(11, 12),
                              PutIf({}, 3, true, 13, 14),
                              PutIf({}, 4, false, 15, 16), Read(3, 17, 18)}));
}

TEST(LinearizabilityCheckerTest, AcceptsEitherOrderOfWhatOverlaps) {
  EXPECT_TRUE(IsLinearizable({Count(1, 2, 1, 4), Count(1, 1, 2, 3)}));
  EXPECT_TRUE(IsLinearizable({Put(9, 1, 10), Read({}, 2, 3), Read(9, 4, 5)}));
  EXPECT_TRUE(
      IsLinearizable({PutIf({}, 1, true, 1, 4), PutIf({}, 2, false, 2, 3)}));
}

TEST(LinearizabilityCheckerTest, RefusesALostUpdate) {
  EXPECT_FALSE(IsLinearizable({Count(1, 1, 1, 4), Count(1, 1, 2, 3)}));
  EXPECT_FALSE(IsLinearizable(
      {Put(5, 1, 2), Count(1, 1, 3, 4)}));  // Built on a state before the put.
}

TEST(LinearizabilityCheckerTest, RefusesAnAnswerFromTheFuture) {
  EXPECT_FALSE(IsLinearizable({Count(1, 2, 1, 2), Count(1, 1, 3, 4)}));
}

TEST(LinearizabilityCheckerTest, RefusesAStaleRead) {
  EXPECT_FALSE(IsLinearizable({Count(1, 1, 1, 2), Read({}, 3, 4)}));
  EXPECT_FALSE(IsLinearizable({Put(9, 1, 10), Read(9, 2, 3), Read({}, 4, 5)}));
  EXPECT_FALSE(IsLinearizable({Put(1, 1, 2), Delete(3, 4), Read(1, 5, 6)}));
}

TEST(LinearizabilityCheckerTest, RefusesTwoWinnersAndNoWinner) {
  EXPECT_FALSE(
      IsLinearizable({PutIf({}, 1, true, 1, 4), PutIf({}, 2, true, 2, 3)}));
  EXPECT_FALSE(
      IsLinearizable({PutIf({}, 1, false, 1, 4), PutIf({}, 2, false, 2, 3)}));
}

CounterOperation Unknown(CounterOperation operation) {
  operation.unknown = true;
  operation.result = std::nullopt;
  return operation;
}

TEST(LinearizabilityCheckerTest, TakesTheUnknownForDoneAnyTimeLaterOrNever) {
  const CounterOperation unknown = Unknown(Count(5, 0, 3, 4));
  EXPECT_TRUE(IsLinearizable({unknown}));
  EXPECT_TRUE(IsLinearizable({unknown, Read({}, 5, 6)}));
  EXPECT_TRUE(IsLinearizable({unknown, Read(5, 5, 6)}));
  EXPECT_TRUE(IsLinearizable({unknown, Read({}, 5, 6), Read(5, 7, 8)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(5, 5, 6), Read({}, 7, 8)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(5, 1, 2)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(10, 5, 6)}));
}

TEST(LinearizabilityCheckerTest, SearchesManyOverlappingOperations) {
  History history;
  for (int64_t i = 0; i < 60; ++i) {
    history.push_back(Count(1, 60 - i, 1, 1000 + i));
  }
  EXPECT_TRUE(IsLinearizable(history));
  history.push_back(Count(1, 30, 1, 2000));
  EXPECT_FALSE(IsLinearizable(history));
}

}  // namespace
}  // namespace shale
