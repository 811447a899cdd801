#include "shale/region/testing/linearizability_checker.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace shale {
namespace {

using Kind = RowOperation::Kind;
using History = std::vector<RowOperation>;

RowOperation Did(Kind kind, int64_t argument, int64_t called,
                 int64_t returned) {
  RowOperation operation;
  operation.kind = kind;
  operation.argument = argument;
  operation.called = called;
  operation.returned = returned;
  return operation;
}
RowOperation Count(int64_t delta, std::optional<int64_t> sum, int64_t called,
                   int64_t returned) {
  RowOperation operation = Did(Kind::kIncrement, delta, called, returned);
  operation.count = sum;
  return operation;
}
RowOperation Add(int64_t digit, std::string text, int64_t called,
                 int64_t returned) {
  RowOperation operation = Did(Kind::kAppend, digit, called, returned);
  operation.text = std::move(text);
  return operation;
}
RowOperation Put(int64_t value, int64_t called, int64_t returned) {
  return Did(Kind::kPut, value, called, returned);
}
RowOperation Delete(int64_t called, int64_t returned) {
  return Did(Kind::kDelete, 0, called, returned);
}
RowOperation Read(std::optional<int64_t> count, int64_t called,
                  int64_t returned, std::string text = "") {
  RowOperation operation = Did(Kind::kRead, 0, called, returned);
  operation.count = count;
  operation.text = std::move(text);
  return operation;
}
RowOperation ReadCount(std::optional<int64_t> count, int64_t called,
                       int64_t returned) {
  RowOperation operation = Read(count, called, returned);
  operation.kind = Kind::kReadCount;
  return operation;
}

// What was asked for only if the counter is `expected`.
RowOperation If(std::optional<int64_t> expected, bool matched,
                RowOperation operation) {
  operation.checked = true;
  operation.expected = expected;
  operation.matched = matched;
  return operation;
}
RowOperation PutIf(std::optional<int64_t> expected, int64_t value, bool matched,
                   int64_t called, int64_t returned) {
  return If(expected, matched, Put(value, called, returned));
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

TEST(LinearizabilityCheckerTest, FollowsCounterAndTextOfOneRow) {
  EXPECT_TRUE(IsLinearizable(
      {Add(1, "1", 1, 2), Count(0, {}, 3, 4), Count(5, 5, 5, 6),
       Add(2, "12", 7, 8), Read(5, 9, 10, "12"), Delete(11, 12),
       Add(3, "3", 13, 14), Read({}, 15, 16, "3"), ReadCount({}, 17, 18)}));
  EXPECT_TRUE(IsLinearizable({Add(1, "21", 1, 4), Add(2, "2", 2, 3)}));
}

TEST(LinearizabilityCheckerTest, RefusesALostAppend) {
  EXPECT_FALSE(IsLinearizable({Add(1, "1", 1, 4), Add(2, "2", 2, 3)}));
  EXPECT_FALSE(IsLinearizable({Add(1, "12", 1, 4), Add(2, "12", 2, 3)}));
  EXPECT_FALSE(IsLinearizable({Add(1, "1", 1, 2), Read({}, 3, 4)}));
  EXPECT_FALSE(
      IsLinearizable({Add(1, "1", 1, 2), Delete(3, 4), Add(2, "12", 5, 6)}));
}

// Each column by itself is as it may be.
TEST(LinearizabilityCheckerTest, RefusesColumnsOfTwoMoments) {
  EXPECT_FALSE(IsLinearizable(
      {Count(1, 1, 1, 2), Add(1, "1", 3, 4), Read({}, 1, 6, "1")}));
  EXPECT_TRUE(IsLinearizable(
      {Count(1, 1, 1, 2), Add(1, "1", 3, 4), ReadCount({}, 1, 6)}));
  EXPECT_FALSE(IsLinearizable({Count(1, 1, 1, 2), ReadCount({}, 3, 4)}));
  EXPECT_FALSE(IsLinearizable(
      {Count(1, 1, 1, 2), Add(1, "1", 3, 4), Delete(5, 20), Read(1, 6, 7)}));
}

TEST(LinearizabilityCheckerTest, RefusesWhatItsCheckHadToPrevent) {
  EXPECT_TRUE(IsLinearizable(
      {If({}, true, Count(5, 5, 1, 2)), If(4, false, Count(1, {}, 3, 4)),
       If(5, true, Add(1, "1", 5, 6)), If({}, false, Delete(7, 8)),
       If(5, true, Delete(9, 10)), Read({}, 11, 12)}));
  EXPECT_FALSE(IsLinearizable(
      {If({}, true, Count(5, 5, 1, 4)), If({}, true, Count(5, 10, 2, 3))}));
  EXPECT_FALSE(IsLinearizable({If(1, true, Delete(1, 2)), Count(1, 1, 3, 4)}));
  EXPECT_FALSE(IsLinearizable({Count(1, 1, 1, 2), If(1, false, Delete(3, 4))}));
  EXPECT_FALSE(IsLinearizable({If(1, false, Count(2, {}, 1, 2)),
                               Read(2, 3, 4)}));  // Done all the same.
  EXPECT_FALSE(IsLinearizable(
      {Count(1, 1, 1, 2), If(1, true, Delete(3, 4)), Read(1, 5, 6)}));
  EXPECT_FALSE(IsLinearizable({If({}, false, Add(1, "", 1, 2))}));
}

RowOperation Unknown(RowOperation operation) {
  operation.unknown = true;
  operation.count = std::nullopt;
  return operation;
}

TEST(LinearizabilityCheckerTest, TakesTheUnknownForDoneAnyTimeLaterOrNever) {
  const RowOperation unknown = Unknown(Count(5, 0, 3, 4));
  EXPECT_TRUE(IsLinearizable({unknown}));
  EXPECT_TRUE(IsLinearizable({unknown, Read({}, 5, 6)}));
  EXPECT_TRUE(IsLinearizable({unknown, Read(5, 5, 6)}));
  EXPECT_TRUE(IsLinearizable({unknown, Read({}, 5, 6), Read(5, 7, 8)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(5, 5, 6), Read({}, 7, 8)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(5, 1, 2)}));
  EXPECT_FALSE(IsLinearizable({unknown, Read(10, 5, 6)}));
  const RowOperation checked = Unknown(If(1, true, Count(5, 0, 1, 4)));
  EXPECT_TRUE(IsLinearizable({checked, Count(1, 1, 2, 3), Read(6, 5, 6)}));
  EXPECT_TRUE(IsLinearizable({checked, Count(1, 1, 2, 3), Read(1, 5, 6)}));
  EXPECT_FALSE(IsLinearizable({checked, Read(5, 5, 6)}));
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
