#include "shale/base/testing/status_matchers.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

using ::testing::AnyOf;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointee;

TEST(StatusMatchersTest, IsOkMatchesBothTypes) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(absl::StatusOr<int>(1), IsOk());
  EXPECT_THAT(absl::InternalError("x"), Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(absl::InternalError("x")), Not(IsOk()));
}

TEST(StatusMatchersTest, StatusIsComparesCodeAndMessage) {
  const absl::StatusOr<int> error = absl::DataLossError("offset 4096");
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kDataLoss, "offset 4096"));
  EXPECT_THAT(error, StatusIs(AnyOf(absl::StatusCode::kDataLoss,
                                    absl::StatusCode::kUnknown),
                              HasSubstr("4096")));
  EXPECT_THAT(error, Not(StatusIs(absl::StatusCode::kUnknown)));
  EXPECT_THAT(error, Not(StatusIs(absl::StatusCode::kDataLoss, "offset")));
  EXPECT_THAT(absl::OkStatus(), StatusIs(absl::StatusCode::kOk));
}

TEST(StatusMatchersTest, IsOkAndHoldsTakesValuesAndMatchers) {
  EXPECT_THAT(absl::StatusOr<int>(5), IsOkAndHolds(5));
  EXPECT_THAT(absl::StatusOr<int>(5), IsOkAndHolds(Gt(4)));
  EXPECT_THAT(absl::StatusOr<int>(5), Not(IsOkAndHolds(6)));
  EXPECT_THAT(absl::StatusOr<std::string>("abc"), IsOkAndHolds("abc"));
  EXPECT_THAT(absl::StatusOr<int>(absl::InternalError("x")),
              Not(IsOkAndHolds(0)));
}

TEST(StatusMatchersTest, IsOkAndHoldsTakesMoveOnlyValues) {
  const absl::StatusOr<std::unique_ptr<int>> value = std::make_unique<int>(3);
  EXPECT_THAT(value, IsOkAndHolds(Pointee(3)));
}

TEST(StatusMatchersTest, AssignMovesTheValueOut) {
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<int> value,
      absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(3)));
  EXPECT_EQ(*value, 3);
}

TEST(StatusMatchersTest, AssignOfAnErrorEndsTheTestAndShowsTheStatus) {
  EXPECT_FATAL_FAILURE(
      {
        ASSERT_OK_AND_ASSIGN(
            [[maybe_unused]] const int value,
            absl::StatusOr<int>(absl::NotFoundError("no such file")));
      },
      "NOT_FOUND: no such file");
}

}  // namespace
}  // namespace shale
