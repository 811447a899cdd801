#include "shale/tools/increment_performance/increment_report.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/tools/console/table_printer.h"
#include "shale/tools/increment_performance/increment_gates.h"

namespace shale {
namespace {

using testing::HasSubstr;

// One operation takes a setting's number of threads divided by its rate, which
// is made up.
class IncrementReportTest : public testing::Test {
 protected:
  // Five repetitions of all variants under all settings. `rate` gives thousand
  // increments a second.
  template <typename Rate>
  IncrementResults Measured(std::vector<IncrementSetting> settings,
                            std::vector<VariantPair> variants, Rate rate) {
    IncrementResults results{
        settings, variants,
        RunTable<IncrementRun>(static_cast<int>(settings.size()),
                               static_cast<int>(variants.size()))};
    std::ostringstream err;
    Console console{err, err, 0, "", RealClock()};
    EXPECT_OK(results.runs.Execute(
        InterleavedPlan(static_cast<int>(settings.size()), 5,
                        static_cast<int>(variants.size())),
        console, [&](const PlannedRun& run, absl::FunctionRef<void(int64_t)>) {
          const IncrementSetting& setting = settings[run.setting];
          const double thousands = rate(setting, variants[run.variant].Name());
          IncrementRun made;
          made.measurement.nanos.Add(
              static_cast<int64_t>(setting.threads * 1e6 / thousands), 1000);
          made.measurement.elapsed = absl::Seconds(1 / thousands);
          made.measurement.causes.context_switches = 1500;
          made.measurement.causes.waits = 900;
          made.measurement.causes.wakes = 900;
          made.measurement.causes.syncs = 100;
          made.measurement.causes.log_entries = 1000;
          return absl::StatusOr<IncrementRun>(made);
        }));
    return results;
  }

  static IncrementSetting Random(int threads) {
    return {{RowChoice::Kind::kRandom, 10000}, threads};
  }

  // The verdict on the gate of that claim; -1 if there is none.
  static int VerdictOn(const IncrementResults& results,
                       absl::string_view claim) {
    for (const Gate& gate : IncrementGates(results)) {
      if (gate.claim == claim) return static_cast<int>(Judge(gate));
    }
    return -1;
  }

  const int pass_ = static_cast<int>(Verdict::kPass);
  const int fail_ = static_cast<int>(Verdict::kFail);
};

TEST_F(IncrementReportTest, TheOriginalsNumbersHoldTheOriginalsGates) {
  // Those of HBASE-15213.
  const IncrementResults results =
      Measured({Random(1), Random(8), Random(32), Random(96)},
               {{"head_of_line", "consistent"},
                {"prefix", "consistent"},
                {"head_of_line", "narrow"}},
               [](const IncrementSetting& setting, const std::string& name) {
                 const bool slow = name == "head_of_line+consistent";
                 const bool narrow = name == "head_of_line+narrow";
                 switch (setting.threads) {
                   case 1:
                     return slow ? 2.486 : narrow ? 2.359 : 2.459;
                   case 8:
                     return slow ? 10.886 : narrow ? 13.980 : 12.292;
                   case 32:
                     return slow ? 5.421 : narrow ? 20.540 : 16.601;
                 }
                 return slow ? 3.891 : narrow ? 26.05 : 20.052;
               });
  for (const char* const claim :
       {"rate prefix+consistent / head_of_line+consistent, random:10000, 96 "
        "threads",
        "rate prefix+consistent / head_of_line+consistent, random:10000, 32 "
        "threads",
        "rate prefix+consistent / head_of_line+consistent, random:10000, 1 "
        "threads",
        "rate head_of_line+narrow / head_of_line+consistent, random:10000, 96 "
        "threads",
        "rate at 96 threads over own peak head_of_line+consistent",
        "scaling 96/1 prefix+consistent"}) {
    EXPECT_EQ(VerdictOn(results, claim), pass_) << claim;
  }
  // These made-up runs switch equally often.
  EXPECT_EQ(VerdictOn(results,
                      "switches head_of_line+consistent / prefix+consistent, "
                      "random:10000, 96 threads"),
            fail_);
}

TEST_F(IncrementReportTest, TheRingIsJudgedByItsCauses) {
  const IncrementResults results = Measured(
      {Random(1), Random(96)}, {{"ring", "pipelined"}, {"prefix", "pipelined"}},
      [](const IncrementSetting& setting, const std::string& name) {
        return setting.threads * (name[0] == 'r' ? 2 : 1);
      });
  EXPECT_EQ(VerdictOn(results,
                      "wakes a waiting op ring+pipelined, random:10000, 1 "
                      "threads"),
            pass_);
  EXPECT_EQ(VerdictOn(results,
                      "switches an op ring+pipelined, random:10000, 96 "
                      "threads"),
            pass_);
  EXPECT_EQ(VerdictOn(results,
                      "p99 ring+pipelined / prefix+pipelined, random:10000, "
                      "96 threads"),
            pass_);
  EXPECT_EQ(VerdictOn(results, "scaling 96/1 ring+pipelined"), pass_);
}

TEST_F(IncrementReportTest, TheRingIsJudgedWhateverTheRows) {
  const IncrementResults results =
      Measured({{{RowChoice::Kind::kLockstep, 10000}, 80},
                {{RowChoice::Kind::kHot, 1}, 32},
                {{RowChoice::Kind::kHot, 1}, 31}},
               {{"ring", "pipelined"}, {"prefix", "pipelined"}},
               [](const auto&, const std::string& name) {
                 return name[0] == 'r' ? 2.0 : 1.0;
               });
  const auto verdicts = [&](absl::string_view rows) {
    return std::vector<int>{
        VerdictOn(results,
                  absl::StrCat("switches an op ring+pipelined, ", rows)),
        VerdictOn(
            results,
            absl::StrCat("p99 ring+pipelined / prefix+pipelined, ", rows))};
  };
  EXPECT_THAT(verdicts("lockstep, 80 threads"), testing::Each(pass_));
  EXPECT_THAT(verdicts("hot:1, 32 threads"), testing::Each(pass_));
  EXPECT_THAT(verdicts("hot:1, 31 threads"), testing::Each(-1));
}

TEST_F(IncrementReportTest, OnOneHotCounterPipelinedMustBeTwentyTimesAsFast) {
  const std::vector<VariantPair> variants = {{"ring", "narrow"},
                                             {"ring", "pipelined"}};
  const auto at = [&](double factor) {
    return Measured({{{RowChoice::Kind::kHot, 1}, 96}}, variants,
                    [&](const IncrementSetting&, const std::string& name) {
                      return name == "ring+pipelined" ? 2 * factor : 2.0;
                    });
  };
  const char kClaim[] = "rate ring+pipelined / ring+narrow, hot:1, 96 threads";
  EXPECT_EQ(VerdictOn(at(21), kClaim), pass_);
  EXPECT_EQ(VerdictOn(at(19), kClaim), fail_);
}

TEST_F(IncrementReportTest, WhatWasNotRunIsNotJudged) {
  EXPECT_TRUE(
      IncrementGates(Measured({Random(96)}, {{"head_of_line", "consistent"}},
                              [](const auto&, const auto&) { return 3.0; }))
          .empty());
}

TEST_F(IncrementReportTest, TheTableHasTimesAndCauses) {
  const IncrementResults results =
      Measured({Random(2)}, {{"ring", "pipelined"}},
               [](const auto&, const auto&) { return 2.0; });
  std::ostringstream out;
  TablePrinter printer(out);
  PrintIncrements(results, printer);
  const std::vector<std::string> lines = absl::StrSplit(out.str(), '\n');
  std::vector<std::string> values =
      absl::StrSplit(lines[1], ' ', absl::SkipEmpty());
  EXPECT_THAT(values, testing::ElementsAre(
                          "random:10000", "2", "ring", "pipelined", "2000",
                          "0.0", "1.000", "1.000", "1.000", "1.000", "1.000",
                          "1.000", "1.50", "0.90", "1.00", "100", "10.0", "0"));
}

TEST_F(IncrementReportTest, TheOriginalsLineIsThereToTheNanosecond) {
  const IncrementResults results =
      Measured({Random(2)}, {{"ring", "pipelined"}},
               [](const auto&, const auto&) { return 3.0; });
  std::ostringstream out;
  TablePrinter printer(out);
  PrintOriginalLines(results, printer);
  EXPECT_EQ(out.str(), "75th=0.666666, 95th=0.666666, 99th=0.666666\n");
}

TEST_F(IncrementReportTest,
       RatiosStandBesideTheOriginalsIfTheRunIsTheOriginals) {
  const std::vector<VariantPair> variants = {{"head_of_line", "consistent"},
                                             {"head_of_line", "narrow"}};
  const auto rate = [](const IncrementSetting&, const std::string& name) {
    return name == "head_of_line+narrow" ? 8.0 : 2.0;
  };
  std::ostringstream out;
  TablePrinter printer(out);
  PrintOriginalRatios(
      Measured({{{RowChoice::Kind::kLockstep, 10000}, 80}}, variants, rate),
      printer);
  EXPECT_THAT(
      out.str(),
      HasSubstr("head_of_line+consistent / head_of_line+narrow          "
                "75      4.00      4.46"));
  out.str("");
  PrintOriginalRatios(Measured({Random(80)}, variants, rate), printer);
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace shale
