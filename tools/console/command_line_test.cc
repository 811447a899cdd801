#include "shale/tools/console/command_line.h"

#include <string>
#include <utility>
#include <vector>

#include "gflags/gflags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

DEFINE_string(test_text, "", "text");
DEFINE_int64(test_number, 0, "number");
DEFINE_bool(test_switch, false, "switch");

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(CommandLineTest, FlagsAndWordsComeInAnyOrder) {
  ASSERT_OK_AND_ASSIGN(
      const CommandLine line,
      ParseCommandLine({"get", "--test_text=a=b", "row", "-test_number", "7"}));
  EXPECT_THAT(line.words, ElementsAre("get", "row"));
  EXPECT_THAT(line.flags,
              ElementsAre(Pair("test_text", "a=b"), Pair("test_number", "7")));
  EXPECT_FALSE(line.help);
}

TEST(CommandLineTest, ABoolTakesNoWordAsItsValue) {
  ASSERT_OK_AND_ASSIGN(
      const CommandLine line,
      ParseCommandLine(
          {"--test_switch", "row", "--notest_switch", "--test_switch=false"}));
  EXPECT_THAT(line.words, ElementsAre("row"));
  EXPECT_THAT(line.flags, ElementsAre(Pair("test_switch", "true"),
                                      Pair("test_switch", "false"),
                                      Pair("test_switch", "false")));
}

TEST(CommandLineTest, DashesInNamesAreAsGoodAsUnderscores) {
  ASSERT_OK_AND_ASSIGN(const CommandLine line,
                       ParseCommandLine({"--test-number=1"}));
  EXPECT_THAT(line.flags, ElementsAre(Pair("test_number", "1")));
}

TEST(CommandLineTest, EverythingAfterTwoDashesIsAWord) {
  ASSERT_OK_AND_ASSIGN(const CommandLine line,
                       ParseCommandLine({"put", "--", "-5", "--test_switch"}));
  EXPECT_THAT(line.words, ElementsAre("put", "-5", "--test_switch"));
  EXPECT_THAT(line.flags, IsEmpty());
}

TEST(CommandLineTest, AnEmptyArgumentAndALoneDashAreWords) {
  ASSERT_OK_AND_ASSIGN(const CommandLine line, ParseCommandLine({"", "-"}));
  EXPECT_THAT(line.words, ElementsAre("", "-"));
}

TEST(CommandLineTest, HelpIsSeenAnywhere) {
  EXPECT_TRUE(ParseCommandLine({"get", "--help"})->help);
  EXPECT_TRUE(ParseCommandLine({"-h"})->help);
}

TEST(CommandLineTest, UnknownFlagsAndMissingValuesAreRefused) {
  EXPECT_THAT(ParseCommandLine({"--tset_text=a"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no flag --tset_text=a")));
  EXPECT_THAT(ParseCommandLine({"--test_text"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--test_text needs a value")));
}

TEST(CommandLineTest, FlagsAreSet) {
  const gflags::FlagSaver saver;
  CommandLine line;
  line.flags = {{"test_number", "2"}, {"test_switch", "true"}};
  ASSERT_OK(SetFlags(line, {"test_number", "test_switch"}));
  EXPECT_EQ(FLAGS_test_number, 2);
  EXPECT_TRUE(FLAGS_test_switch);
}

TEST(CommandLineTest, AFlagGivenTwiceIsRefused) {
  const gflags::FlagSaver saver;
  CommandLine line;
  line.flags = {{"test_number", "1"}, {"test_text", "a"}, {"test_number", "1"}};
  EXPECT_THAT(SetFlags(line, {"test_number", "test_text"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--test_number is there twice")));
}

TEST(CommandLineTest, AFlagOfAnotherCommandIsRefused) {
  const gflags::FlagSaver saver;
  CommandLine line;
  line.flags = {{"test_text", "a"}};
  EXPECT_THAT(SetFlags(line, {"test_number"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no flag --test_text")));
  EXPECT_EQ(FLAGS_test_text, "");
}

TEST(CommandLineTest, AValueOfTheWrongTypeIsRefused) {
  const gflags::FlagSaver saver;
  CommandLine line;
  line.flags = {{"test_number", "many"}};
  EXPECT_THAT(SetFlags(line, {"test_number"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--test_number: \"many\" is no int64")));
}

}  // namespace
}  // namespace shale
