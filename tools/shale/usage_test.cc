// What the tool says of itself, and to those that use it wrongly.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/tools/shale/command_table.h"
#include "shale/tools/shale/run.h"
#include "shale/tools/shale/testing/tool_test.h"

namespace shale {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class UsageTest : public ToolTest {
 protected:
  void TearDown() override {
    EXPECT_THAT(Snapshot(work_), IsEmpty()) << "wrong use touched something";
    ToolTest::TearDown();
  }
};

TEST_F(UsageTest, HelpNamesEveryCommandAndTheExitCodes) {
  const std::string help = Printed({"help"});
  for (const Command& command : AllCommands()) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::string(command.name) + " "));
  }
  EXPECT_THAT(help, HasSubstr("Exit codes\n  0  done\n"));
  EXPECT_EQ(Printed({"--help"}), help);
}

TEST_F(UsageTest, EveryCommandHasHelpWithFlagsAndAnExampleThatFitsATerminal) {
  for (const Command& command : AllCommands()) {
    const std::string name(command.name);
    const std::string help = Printed({"help", name});
    EXPECT_THAT(help, StartsWith("shale " + name + ": "));
    EXPECT_THAT(help, HasSubstr("\nUsage: shale " + name));
    EXPECT_THAT(help, HasSubstr("\n  --format "));
    EXPECT_THAT(help, HasSubstr("\nExamples\n  shale " + name));
    EXPECT_EQ(Printed({name, "--help"}), help);
    for (const absl::string_view line : absl::StrSplit(help, '\n')) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

TEST_F(UsageTest, NoCommandPrintsTheHelpAsAnError) {
  const ToolRun run = Run({});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, Printed({"help"}));
}

TEST_F(UsageTest, UnknownCommandsAreNamed) {
  EXPECT_EQ(Refused(kExitUsage, {"impot", "file"}),
            "shale: no command impot; see: shale help\n");
  EXPECT_EQ(Refused(kExitUsage, {"help", "impot"}),
            "shale: no command impot; see: shale help\n");
}

TEST_F(UsageTest, FlagsOfOtherCommandsAreRefused) {
  EXPECT_EQ(Refused(kExitUsage, {"get", "row", "--dir=store", "--limit=1"}),
            "shale: get: this command has no flag --limit; see: shale help "
            "get\n");
}

struct MisuseCase {
  const char* name;
  const char* line;  // Words separated by spaces.
  const char* error;
};
constexpr MisuseCase kMisuseCases[] = {
    {"UnknownFlag", "get row --dri=store", "no flag --dri=store"},
    {"FlagWithoutValue", "get row --dir", "--dir needs a value"},
    {"WrongType", "scan --dir=store --limit=many", "\"many\" is no int64"},
    {"NoDirectory", "get row", "--dir is missing"},
    {"TooFewArguments", "get --dir=store", "takes the arguments ROW"},
    {"TooManyArguments", "put r f:q v w --dir=store", "takes the arguments"},
    {"NeedlessArgument", "count row --dir=store", "takes no arguments"},
    {"BadEscape", "get a\\z --dir=store", "column 2"},
    {"NoFamily", "get row :q --dir=store", "has no family"},
    {"FlagTwice", "get row --dir=store --dir=other",
     "flag --dir is there twice"},
    {"FlagTwiceInTwoForms", "scan --dir=store --limit 1 --limit=2",
     "flag --limit is there twice"},
    {"PutIntoAFamily", "put r f v --dir=store",
     "column \"f\" has no qualifier; want FAMILY:QUALIFIER, or \"f:\""},
    {"TimestampThatMeansNow",
     "put r f:q v --dir=store --timestamp=9223372036854775807",
     "is too late; the last is 9223372036854775806"},
    {"ImportWithAMisspeltColumn",
     "import file --dir=store --columns=ROW_KEY,TSKEY,f:q",
     "column \"TSKEY\" has no qualifier"},
    {"ImportWithTwoTimestamps",
     "import file --dir=store --columns=ROW_KEY,TS_KEY,f:q --timestamp=5",
     "--timestamp and a TS_KEY in --columns exclude each other"},
    {"BadFormat", "count --dir=store --format=xml", "neither table nor json"},
    {"BadTimestamp", "put r f:q v --dir=store --timestamp=soon",
     "--timestamp: \"soon\""},
    {"BadDurability", "put r f:q v --dir=store --durability=maybe",
     "--durability: \"maybe\""},
    {"EmptyTimeRange", "scan --dir=store --min_timestamp=7 --max_timestamp=7",
     "no timestamp is at or after --min_timestamp 7"},
    {"StartAfterStop", "scan --dir=store --start=b --stop=a",
     "--start is after --stop"},
    {"NegativeLimit", "scan --dir=store --limit=-1", "--limit"},
    {"NoVersions", "get row --dir=store --versions=0", "--versions"},
    {"ExactWithoutTimestamp", "delete r f:q --dir=store --exact",
     "--exact needs a --timestamp"},
    {"ExactRow", "delete r --dir=store --exact --timestamp=5",
     "--exact needs a family"},
    {"BadRegionName", "create f --dir=store --region=a\x01", "region"},
    {"BadFamily", "create f:colour=red --dir=store --region=r",
     "\"colour=red\": there is no such option"},
    {"ImportWithoutColumns", "import file --dir=store --region=r",
     "--columns is missing"},
    {"ImportWithBadColumns", "import file --dir=store --region=r --columns=f:q",
     "no column is the ROW_KEY"},
    {"ImportWithLongSeparator",
     "import file --dir=store --region=r --columns=ROW_KEY,f:q "
     "--separator=ab",
     "is not one byte"},
    {"ImportWithEmptyBatch",
     "import file --dir=store --region=r --columns=ROW_KEY,f:q --batch=0",
     "--batch must be"},
};

class MisuseTest : public UsageTest,
                   public testing::WithParamInterface<MisuseCase> {};

TEST_P(MisuseTest, IsExitCode2AndTouchesNothing) {
  const std::vector<std::string> words = absl::StrSplit(GetParam().line, ' ');
  EXPECT_THAT(Refused(kExitUsage, words), HasSubstr(GetParam().error));
}
INSTANTIATE_TEST_SUITE_P(Table, MisuseTest, testing::ValuesIn(kMisuseCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace shale
