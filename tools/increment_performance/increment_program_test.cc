#include "shale/tools/increment_performance/increment_program.h"

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/tools/console/testing/program_run.h"

namespace shale {
namespace {

using testing::HasSubstr;

ProgramRun RunTool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--sync_micros=50", "--repetitions=1",
                                       "--incrementCount=10"});
  return RunInProcess(IncrementPerformanceProgram(), arguments,
                      testing::TempDir());
}

TEST(IncrementProgramTest, PrintsTheOriginalsFirstAndLastLine) {
  const ProgramRun run = RunTool({"--threadCount=4"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              testing::StartsWith("tableName=tableName, columnFamilyName="
                                  "columnFamilyName, threadCount=4, "
                                  "incrementCount=10\n"));
  EXPECT_THAT(run.out, testing::ContainsRegex(
                           "\n75th=[0-9.]+, 95th=[0-9.]+, 99th=[0-9.]+\n"));
}

TEST(IncrementProgramTest, EveryPairOfVariantsCountsRight) {
  const ProgramRun run =
      RunTool({"--rows=lockstep,random:3,hot:1", "--sweep=1,4",
               "--mvcc=head_of_line,prefix,ring",
               "--increment=consistent,narrow,pipelined"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(", threadCount=1,4, incrementCount=10\n"));
  EXPECT_THAT(run.out, HasSubstr("random:3        4  ring          pipelined"));
}

TEST(IncrementProgramTest, StopsAfterTheTimeGiven) {
  const ProgramRun run =
      RunTool({"--seconds=1", "--rows=hot:1", "--device=memory",
               "--threadCount=2", "--format=json"});
  if (run.exit_code == 2) GTEST_SKIP() << run.err;  // A build without JSON.
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("{\"rows\":\"hot:1\",\"threads\":2,"
                                 "\"mvcc\":\"ring\","));
}

TEST(IncrementProgramTest, LeavesNothingOnARealDevice) {
  const std::string directory = testing::TempDir() + "/real";
  std::filesystem::create_directory(directory);
  const ProgramRun run = RunTool({"--threadCount=2", "--device=real:real"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("device real in real"));
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST(IncrementProgramTest, CheckFailsWithoutProof) {
  const ProgramRun run = RunTool({"--threadCount=2", "--check"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("increment_performance_test: of 1 gates 0 "
                                 "fail and 1 are unclear"));
}

TEST(IncrementProgramTest, RefusesWhatItDoesNotUnderstandAndRunsNothing) {
  const struct {
    const char* flag;
    const char* error;
  } kCases[] = {
      {"--threads=1", "no flag --threads=1"},
      {"--threadCount=0", "--threadCount: 0 is not in [1, 1024]"},
      {"--incrementCount=0", "--incrementCount: 0 is not in [1, 1000000000]"},
      {"--rows=hot", "--rows: \"hot\" is neither lockstep, random:ROWS nor"},
      {"--sweep=1,,2", "--sweep: \"\" is no number"},
      {"--mvcc=regressed", "--mvcc: \"regressed\" is none of head_of_line"},
      {"--increment=safe", "--increment: \"safe\" is none of consistent"},
      {"--variants=ring", "--variants: \"ring\" is none of"},
      {"--device=disk", "--device: \"disk\" is neither memory, modelled"},
      {"--syncs_in_flight=0", "--syncs_in_flight: 0 is not in [1, 1024]"},
  };
  for (const auto& [flag, error] : kCases) {
    const ProgramRun run =
        RunInProcess(IncrementPerformanceProgram(), {flag}, testing::TempDir());
    EXPECT_EQ(run.exit_code, 2) << flag;
    EXPECT_THAT(run.err, HasSubstr(error));
    EXPECT_EQ(run.out, "");
  }
}

TEST(IncrementProgramTest, OnlyTheModelledDeviceIsJudged) {
  const ProgramRun run = RunTool({"--device=memory", "--check"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("only the modelled device is judged"));
}

}  // namespace
}  // namespace shale
