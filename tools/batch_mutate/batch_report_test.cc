#include "shale/tools/batch_mutate/batch_report.h"

#include <sstream>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/tools/console/table_printer.h"

namespace shale {
namespace {

using testing::HasSubstr;

// One setting, five repetitions, in which `tick` costs each row 100 ns more
// than `off`.
class BatchReportTest : public testing::Test {
 protected:
  BatchReportTest() {
    std::ostringstream err;
    Console console{err, err, 0, "", RealClock()};
    EXPECT_OK(results_.runs.Execute(
        InterleavedPlan(1, 5, 2), console,
        [&](const PlannedRun& run, absl::FunctionRef<void(int64_t)>) {
          BatchRun made;
          made.median_nanos = 20000 + run.repetition + 1000 * run.variant;
          made.measurement.nanos.Add(20000, 4);
          made.measurement.elapsed = absl::Microseconds(80);
          made.duplicates = run.repetition == 4 ? 10 : 0;
          return absl::StatusOr<BatchRun>(made);
        }));
  }

  BatchResults results_{{{1, 10, false}},
                        {{"off", false}, {"tick", false}},
                        RunTable<BatchRun>(1, 2)};
};

TEST_F(BatchReportTest, TheCostOfARowIsWhatTheMedianBatchTakesLonger) {
  const std::vector<Gate> gates = BatchGates(results_);
  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0].claim, "tick: ns a row over off, 1 threads, 10 rows");
  EXPECT_EQ(gates[0].measured.median(), 100);
  EXPECT_EQ(Judge(gates[0]), Verdict::kPass);
  EXPECT_EQ(gates[1].claim, "tick: yields with rows of their own");
  EXPECT_EQ(Judge(gates[1]), Verdict::kPass);
}

TEST_F(BatchReportTest, TruePercentilesStandBesideTheSeedStyleOnes) {
  std::ostringstream out;
  TablePrinter printer(out);
  PrintBatches(results_, printer);
  EXPECT_THAT(out.str(), HasSubstr("P50 MS  P99 MS  P999 MS  MAX MS  SEED P50 "
                                   "MS  SEED P99 MS  SEED P999 MS"));
  EXPECT_THAT(out.str(), HasSubstr("tick"));
}

TEST_F(BatchReportTest, DuplicatesFailOnlyWhoPromisesThatThereAreNone) {
  EXPECT_OK(CheckDuplicates(results_));
  results_.sequencers[1].sequences = true;
  EXPECT_EQ(CheckDuplicates(results_).message(),
            "sequencer tick gave 10 rows a timestamp for a second time");
}

TEST_F(BatchReportTest, WithoutTheBaselineThereIsNothingToCompare) {
  results_.sequencers[0].name = "monotonic";
  for (const Gate& gate : BatchGates(results_)) {
    EXPECT_THAT(gate.claim, HasSubstr("yields"));
  }
}

}  // namespace
}  // namespace shale
