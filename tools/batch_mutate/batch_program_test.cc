#include "shale/tools/batch_mutate/batch_program.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/tools/console/testing/program_run.h"

namespace shale {
namespace {

using testing::HasSubstr;

constexpr char kTiny[] = "--operations=8";

TEST(BatchProgramTest, PrintsALineForEverySettingAndSequencer) {
  const ProgramRun run = RunInProcess(
      BatchMutateProgram(), {kTiny, "--repetitions=2", "--batch_rows=1,10",
                             "--threads=1,2", "--sequencer=off"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("THREADS  BATCH ROWS  ROWS    SEQUENCER"));
  EXPECT_THAT(run.out, HasSubstr("      2          10  same    off"));
}

TEST(BatchProgramTest, PrintsOneObjectALineForPrograms) {
  const ProgramRun run =
      RunInProcess(BatchMutateProgram(),
                   {kTiny, "--batch_rows=1", "--threads=1", "--rows=unique",
                    "--sequencer=off", "--repetitions=1", "--format=json"});
  if (run.exit_code == 2) GTEST_SKIP() << run.err;  // A build without JSON.
  EXPECT_THAT(run.out,
              HasSubstr("{\"threads\":1,\"batch_rows\":1,\"rows\":\"unique\","
                        "\"sequencer\":\"off\",\"operations\":8,"));
}

TEST(BatchProgramTest, TooFewRepetitionsAreNoProof) {
  const ProgramRun run = RunInProcess(
      BatchMutateProgram(),
      {kTiny, "--batch_rows=1", "--threads=1", "--repetitions=1", "--check"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("are unclear"));
}

TEST(BatchProgramTest, RefusesWhatItDoesNotUnderstandAndRunsNothing) {
  const struct {
    const char* flag;
    const char* error;
  } kCases[] = {
      {"--row=1", "no flag --row=1"},
      {"--sequencer=hlc", "\"hlc\" is none of off"},
      {"--threads=0", "--threads: 0 is not in [1, 1024]"},
      {"--rows=some", "\"some\" is none of unique, same"},
      {"--repetitions=0", "--repetitions: 0 is not in [1, 1000]"},
      {"--log=none", "--log: \"none\" is neither stub nor device"},
      {"--operations=x", "--operations: \"x\" is no int64"},
  };
  for (const auto& [flag, error] : kCases) {
    const ProgramRun run = RunInProcess(BatchMutateProgram(), {flag});
    EXPECT_EQ(run.exit_code, 2) << flag;
    EXPECT_THAT(run.err, HasSubstr(error));
    EXPECT_EQ(run.out, "");
  }
}

TEST(BatchProgramTest, ALogOnADeviceIsReportedAndNotJudged) {
  const ProgramRun run =
      RunInProcess(BatchMutateProgram(),
                   {kTiny, "--batch_rows=1", "--threads=1", "--rows=unique",
                    "--sequencer=off", "--repetitions=1", "--log=device",
                    "--device=memory"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("log on device memory"));
  const ProgramRun judged =
      RunInProcess(BatchMutateProgram(), {kTiny, "--log=device", "--check"});
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.err, HasSubstr("only runs with --log=stub are judged"));
}

TEST(BatchProgramTest, HelpNamesEveryFlag) {
  const ProgramRun run = RunInProcess(BatchMutateProgram(), {"--help"});
  EXPECT_EQ(run.exit_code, 0);
  for (const absl::string_view flag : BatchMutateProgram().flags) {
    EXPECT_THAT(run.out, HasSubstr(std::string(flag)));
  }
}

}  // namespace
}  // namespace shale
