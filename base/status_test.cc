// Tests of check.h, status_macros.h and status_util.h.
#include "absl/status/status.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using ::testing::Optional;

absl::Status CountThenReturn(const absl::Status& status, int& reached) {
  SHALE_RETURN_IF_ERROR(status);
  ++reached;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, ReturnIfErrorPassesTheErrorOnUnchanged) {
  int reached = 0;
  EXPECT_THAT(CountThenReturn(absl::DataLossError("torn"), reached),
              StatusIs(absl::StatusCode::kDataLoss, "torn"));
  EXPECT_EQ(reached, 0);
}

TEST(StatusMacrosTest, ReturnIfErrorContinuesOnOk) {
  int reached = 0;
  EXPECT_OK(CountThenReturn(absl::OkStatus(), reached));
  EXPECT_EQ(reached, 1);
}

TEST(StatusMacrosTest, ReturnIfErrorWorksInAFunctionOfStatusOr) {
  const auto fails = []() -> absl::StatusOr<int> {
    SHALE_RETURN_IF_ERROR(absl::AbortedError("fenced"));
    return 1;
  };
  EXPECT_THAT(fails(), StatusIs(absl::StatusCode::kAborted, "fenced"));
}

TEST(StatusMacrosTest, ReturnIfErrorIsOneStatementUnderAnIf) {
  const auto run = [](bool check) -> absl::Status {
    if (check)
      SHALE_RETURN_IF_ERROR(absl::InternalError("checked"));
    else
      return absl::OkStatus();
    return absl::InternalError("unreachable");
  };
  EXPECT_OK(run(false));
  EXPECT_THAT(run(true), StatusIs(absl::StatusCode::kInternal, "checked"));
}

TEST(StatusMacrosTest, AssignOrReturnMovesTheValueOut) {
  const auto sum = []() -> absl::StatusOr<int> {
    SHALE_ASSIGN_OR_RETURN(
        const std::unique_ptr<int> first,
        absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(40)));
    int second = 0;
    SHALE_ASSIGN_OR_RETURN(second, absl::StatusOr<int>(2));
    return *first + second;
  };
  EXPECT_THAT(sum(), IsOkAndHolds(42));
}

TEST(StatusMacrosTest, AssignOrReturnPassesTheErrorOnAsStatusAndStatusOr) {
  const absl::StatusOr<int> error = absl::NotFoundError("no such file");
  const auto as_status = [&error]() -> absl::Status {
    SHALE_ASSIGN_OR_RETURN([[maybe_unused]] const int value, error);
    return absl::OkStatus();
  };
  const auto as_statusor = [&error]() -> absl::StatusOr<std::string> {
    SHALE_ASSIGN_OR_RETURN([[maybe_unused]] const int value, error);
    return "unreachable";
  };
  EXPECT_THAT(as_status(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(as_statusor(),
              StatusIs(absl::StatusCode::kNotFound, "no such file"));
}

TEST(StatusUtilTest, AnnotateLeavesOkAlone) {
  EXPECT_OK(Annotate(absl::OkStatus(), "000012.wal"));
}

TEST(StatusUtilTest, AnnotatePutsTheContextInFrontAndKeepsCodeAndPayloads) {
  absl::Status status = absl::DataLossError("bad record");
  status.SetPayload("type.shale/errno", absl::Cord("5"));
  const absl::Status annotated = Annotate(status, "000012.wal");
  EXPECT_THAT(annotated,
              StatusIs(absl::StatusCode::kDataLoss, "000012.wal: bad record"));
  EXPECT_THAT(annotated.GetPayload("type.shale/errno"),
              Optional(absl::Cord("5")));
}

TEST(StatusUtilTest, AnnotateOfAnEmptyMessageIsTheContextAlone) {
  EXPECT_THAT(Annotate(absl::UnknownError(""), "sync"),
              StatusIs(absl::StatusCode::kUnknown, "sync"));
}

TEST(CheckTest, ATrueConditionEvaluatesOnceAndSkipsTheMessage) {
  int conditions = 0;
  int messages = 0;
  SHALE_CHECK(++conditions == 1) << ++messages;
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(messages, 0);
}

TEST(CheckTest, AnOkStatusEvaluatesOnceAndSkipsTheMessage) {
  int messages = 0;
  SHALE_CHECK_OK(absl::OkStatus()) << ++messages;
  SHALE_CHECK_OK(absl::StatusOr<int>(1)) << ++messages;
  EXPECT_EQ(messages, 0);
}

TEST(CheckTest, NestsInAnIfWithoutTakingItsElse) {
  bool else_taken = false;
  if (false)
    SHALE_CHECK(true);
  else
    else_taken = true;
  EXPECT_TRUE(else_taken);
}

TEST(CheckDeathTest, AFalseConditionAbortsWithPlaceConditionAndMessage) {
  EXPECT_DEATH(SHALE_CHECK(1 > 2) << "one is " << 1,
               "status_test.cc:[0-9]+: check failed: 1 > 2 one is 1");
}

TEST(CheckDeathTest, AnErrorAbortsWithPlaceStatusAndMessage) {
  const absl::StatusOr<int> error = absl::NotFoundError("gone");
  EXPECT_DEATH(SHALE_CHECK_OK(error) << "while closing",
               "check failed: error NOT_FOUND: gone while closing");
  EXPECT_DEATH(SHALE_CHECK_OK(error.status()), "NOT_FOUND: gone");
}

}  // namespace
}  // namespace shale
