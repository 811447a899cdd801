#include "shale/tools/benchmark/gate.h"

#include <sstream>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/tools/console/table_printer.h"

namespace shale {
namespace {

using testing::HasSubstr;

struct GateCase {
  const char* name;
  std::vector<double> measured;
  Gate::Bound bound;
  double limit;
  Verdict verdict;
};

constexpr auto kAtLeast = Gate::Bound::kAtLeast;
constexpr auto kAtMost = Gate::Bound::kAtMost;

class GateTest : public testing::TestWithParam<GateCase> {};

TEST_P(GateTest, IsJudgedByMedianAndSpread) {
  const GateCase& c = GetParam();
  EXPECT_EQ(Judge({"", Sample(c.measured), c.bound, c.limit}), c.verdict);
}

INSTANTIATE_TEST_SUITE_P(
    Table, GateTest,
    testing::Values(
        GateCase{"AllAbovePass", {6, 7, 6, 7, 6}, kAtLeast, 5, Verdict::kPass},
        GateCase{"AllBelowFail", {2, 3, 2, 3, 2}, kAtLeast, 5, Verdict::kFail},
        GateCase{"ExactlyTheLimitPasses",
                 {5, 5, 5, 5, 5},
                 kAtLeast,
                 5,
                 Verdict::kPass},
        GateCase{"OneBadOneIsOutvoted",
                 {6, 6, 1, 6, 6},
                 kAtLeast,
                 5,
                 Verdict::kPass},
        GateCase{"DividedAndFurtherApartThanTheClaimIsUnclear",
                 {0.8, 0.9, 1, 1.1, 1.2},
                 kAtLeast,
                 0.95,
                 Verdict::kUnclear},
        GateCase{"FarApartButAgreedIsPassed",
                 {1.0, 1.2, 1.4, 1.6, 1.8},
                 kAtLeast,
                 0.95,
                 Verdict::kPass},
        GateCase{"FarApartButAgreedIsFailed",
                 {0.1, 0.3, 0.5, 0.7, 0.9},
                 kAtLeast,
                 0.95,
                 Verdict::kFail},
        GateCase{"BelowAnUpperLimitPasses",
                 {1, 1, 1, 1, 1},
                 kAtMost,
                 1.1,
                 Verdict::kPass},
        GateCase{"AboveAnUpperLimitFails",
                 {2, 2, 2, 2, 2},
                 kAtMost,
                 1.1,
                 Verdict::kFail},
        GateCase{"FourRepetitionsAreNoVerdict",
                 {6, 6, 6, 6},
                 kAtLeast,
                 5,
                 Verdict::kUnclear}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PrintGatesTest, EveryGateIsALineAndAnythingButPassAnError) {
  const Gate pass{"twice as fast", Sample({3, 3, 3, 3, 3}), kAtLeast, 2};
  const Gate fail{"no slower", Sample({0.5, 0.5, 0.5, 0.5, 0.5}), kAtLeast, 1};
  const Gate unclear{"no wakes", Sample({1}), kAtMost, 1};
  std::ostringstream out;
  TablePrinter printer(out);
  EXPECT_OK(PrintGates({pass}, printer));
  EXPECT_EQ(out.str(),
            "GATE           MEASURED  WANTED    LIMIT  SPREAD  VERDICT\n"
            "twice as fast      3.00  at least   2.00    0.00  pass\n");
  const absl::Status status = PrintGates({pass, fail, unclear}, printer);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "of 3 gates 1 fail and 1 are unclear");
  EXPECT_THAT(out.str(), HasSubstr("FAIL"));
}

TEST(PrintGatesTest, NoGateIsNoProof) {
  std::ostringstream out;
  TablePrinter printer(out);
  EXPECT_EQ(PrintGates({}, printer).message(),
            "what was measured lets no gate be judged");
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace shale
