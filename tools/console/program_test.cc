#include "shale/tools/console/program.h"

#include "absl/status/status.h"
#include "gflags/gflags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/tools/console/testing/program_run.h"

DEFINE_int32(test_count, 3, "how many");

namespace shale {
namespace {

using testing::HasSubstr;

absl::StatusOr<Action> Prepare() {
  if (FLAGS_test_count < 0) {
    return absl::InvalidArgumentError("--test_count: less than none");
  }
  return [](Console&, Printer& printer) {
    printer.Summary("counted", {{"count", Count{uint64_t(FLAGS_test_count)}}});
    return FLAGS_test_count == 13 ? absl::DataLossError("one is\nmissing")
                                  : absl::OkStatus();
  };
}

const Program kProgram = {
    "count", "counts", "Counts.", {"--test_count=5"}, {"test_count"}, Prepare};

TEST(ProgramTest, PrintsItsResultAndEndsWithZero) {
  const ProgramRun run = RunInProcess(kProgram, {});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "counted\n");
  EXPECT_EQ(run.err, "");
}

TEST(ProgramTest, AFailureIsOneLineAndOne) {
  const ProgramRun run = RunInProcess(kProgram, {"--test_count=13"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "count: data loss: one is missing\n");
}

TEST(ProgramTest, WrongUseIsOneLineAndTwoAndDoesNothing) {
  const struct {
    const char* argument;
    const char* error;
  } kCases[] = {
      {"--test_cuont=1",
       "count: no flag --test_cuont=1; \"--\" goes before "
       "words that begin with a dash; see: count --help\n"},
      {"--test_count=-1",
       "count: --test_count: less than none; see: count --help\n"},
      {"--test_count=many",
       "count: --test_count: \"many\" is no int32; see: count --help\n"},
      {"five", "count: takes no arguments, such as five; see: count --help\n"},
      {"--format=xml",
       "count: --format: \"xml\" is neither table nor json; "
       "see: count --help\n"},
  };
  for (const auto& [argument, error] : kCases) {
    const ProgramRun run = RunInProcess(kProgram, {argument});
    EXPECT_EQ(run.exit_code, 2) << argument;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, error);
  }
}

TEST(ProgramTest, HelpTellsFlagsWithDefaultsAndExamples) {
  const ProgramRun run = RunInProcess(kProgram, {"--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("Usage: count [--FLAG=VALUE...]"));
  EXPECT_THAT(run.out, HasSubstr("--test_count      how many (default 3)"));
  EXPECT_THAT(run.out, HasSubstr("  count --test_count=5\n"));
}

TEST(ProgramTest, FlagsAreAsBeforeAfterwards) {
  RunInProcess(kProgram, {"--test_count=4"});
  EXPECT_EQ(FLAGS_test_count, 3);
}

}  // namespace
}  // namespace shale
