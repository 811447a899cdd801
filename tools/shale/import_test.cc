// import, as a user sees it.
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/tools/shale/run.h"
#include "shale/tools/shale/testing/tool_test.h"

namespace shale {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ImportTest : public ToolTest {
 protected:
  std::vector<std::string> Import(std::vector<std::string> more = {}) {
    std::vector<std::string> line = {
        "import",     "lines.txt",     "--dir=store",
        "--region=r", "--separator=;", "--columns=ROW_KEY,f:a,,g:b"};
    line.insert(line.end(), more.begin(), more.end());
    return line;
  }
};

TEST_F(ImportTest, MakesTheRegionWithItsFamiliesAndSaysSo) {
  WriteFile("lines.txt", "a;1;x;2\nb;3;x;\n");
  EXPECT_EQ(Printed(Import()),
            "created region r in store; column families: f, g\n"
            "imported 2 lines (4 cells) of lines.txt in 0.0 s, 0 lines/s\n");
  EXPECT_EQ(Printed({"count", "--dir=store"}), "2 rows, 4 cells\n");
}

TEST_F(ImportTest, ImportingAgainChangesNothingThatIsRead) {
  WriteFile("lines.txt", "a;1;x;2\nb;3;x;4\n");
  Printed(Import({"--timestamp=5"}));
  const std::string before = Printed({"scan", "--dir=store"});
  EXPECT_THAT(Printed(Import({"--timestamp=5"})), StartsWith("imported 2"));
  EXPECT_EQ(Printed({"scan", "--dir=store"}), before);
}

TEST_F(ImportTest, ImportingAgainWithoutATimestampChangesNoValue) {
  WriteFile("lines.txt", "a;1;x;2\nb;3;x;4\n");
  const auto values = [this] {
    const std::regex timestamp("[0-9]{4}-[0-9-]+T[0-9:.]+Z");
    return std::regex_replace(Printed({"scan", "--dir=store"}), timestamp, "-");
  };
  Printed(Import());
  const std::string before = values();
  EXPECT_THAT(before, HasSubstr("a    f:a     -  1"));
  EXPECT_THAT(Printed(Import()), StartsWith("imported 2"));
  EXPECT_EQ(values(), before);
}

TEST_F(ImportTest, OfTwoLinesWithOneRowTheLaterWins) {
  WriteFile("lines.txt", "a;1;x;2\na;3;x;4\n");
  Printed(Import({"--timestamp=5"}));
  EXPECT_EQ(Printed({"get", "a", "f", "--dir=store"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "a    f:a     5          3\n");
}

TEST_F(ImportTest, ABadLineFailsTheImportAndIsNamed) {
  WriteFile("lines.txt", "a;1;x;2\nb;3\n");
  const ToolRun run = Run(Import());
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.out, HasSubstr("LINE  PROBLEM\n"
                                 "   2  2 fields, want 4\n"));
  EXPECT_THAT(run.err, HasSubstr("shale: lines.txt: line 2: 2 fields, want 4"));
}

TEST_F(ImportTest, ToleratedBadLinesAreLeftOutCountedAndListed) {
  WriteFile("lines.txt", "row;a;;b\n;1;x;2\na;3;x;4\nb\n");
  const std::string printed =
      Printed(Import({"--skip_lines=1", "--max_bad_lines=2"}));
  EXPECT_THAT(printed, HasSubstr("LINE  PROBLEM\n"
                                 "   2  the row key is empty\n"
                                 "   4  1 field, want 4\n"
                                 "imported 1 line (2 cells) of lines.txt"));
  EXPECT_THAT(printed, HasSubstr("; left out 2 bad lines\n"));
}

TEST_F(ImportTest, ProgramsGetTheCounts) {
  WriteFile("lines.txt", "a;1;x;2\nbad\n");
  EXPECT_EQ(Printed(Import({"--max_bad_lines=1", "--format=json"})),
            "{\"line\":2,\"problem\":\"1 field, want 4\"}\n"
            "{\"file\":\"lines.txt\",\"lines\":2,\"imported\":1,\"cells\":2,"
            "\"bad_lines\":1}\n");
}

TEST_F(ImportTest, AMissingFileIsAnErrorAndNoDirectoryIsMade) {
  EXPECT_EQ(Refused(kExitFailed, Import()),
            "shale: lines.txt: No such file or directory\n");
  EXPECT_THAT(Snapshot(work_), IsEmpty());
}

TEST_F(ImportTest, ADirectoryIsNoFileToImport) {
  EXPECT_EQ(Refused(kExitFailed, {"import", ".", "--dir=store", "--region=r",
                                  "--columns=ROW_KEY,f:a"}),
            "shale: .: Is a directory\n");
  EXPECT_THAT(Snapshot(work_), IsEmpty());
}

TEST_F(ImportTest, ALineEndOfTwoBytesIsDroppedAndOneOfThemInALineIsNot) {
  WriteFile("lines.txt", "a;1\r;x;2\r\n");
  Printed(Import({"--timestamp=5"}));
  EXPECT_EQ(Printed({"get", "a", "--dir=store"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "a    f:a     5          1\\x0d\n"
            "a    g:b     5          2\n");
}

TEST_F(ImportTest, WithoutAGoodLineNothingIsMade) {
  WriteFile("lines.txt", "a,1,x,2\nb,3,x,4\n");  // Another separator.
  ToolRun run = Run(Import());
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.err, HasSubstr("line 1: 1 field, want 4"));
  EXPECT_FALSE(std::filesystem::exists(work_ + "/store"));
  run = Run(Import({"--max_bad_lines=2"}));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("no line to import, so no region was made\n"));
  EXPECT_FALSE(std::filesystem::exists(work_ + "/store"));
}

TEST_F(ImportTest, ADirectoryThatCannotBeMadeIsToldWithoutALine) {
  WriteFile("lines.txt", "a;1;x;2\n");
  WriteFile("store", "a file");
  const ToolRun run = Run(Import());
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.err, HasSubstr("store"));
  EXPECT_THAT(run.err, testing::Not(HasSubstr("line 1")));
}

TEST_F(ImportTest, AFamilyThatTheRegionLacksIsAnErrorBeforeAnyLine) {
  Printed({"create", "f", "--dir=store", "--region=r"});
  WriteFile("lines.txt", "a;1;x;2\n");
  EXPECT_THAT(Refused(kExitFailed, Import()),
              HasSubstr("region r has no column family g; it has f"));
  EXPECT_EQ(Printed({"count", "--dir=store"}), "0 rows, 0 cells\n");
}

TEST_F(ImportTest, RowsOutsideTheRegionAreBadLines) {
  Printed({"create", "f", "g", "--dir=store", "--region=r", "--end_row=m"});
  WriteFile("lines.txt", "a;1;x;2\nz;3;x;4\n");
  EXPECT_THAT(Printed(Import({"--max_bad_lines=1"})), HasSubstr("\n   2  "));
  EXPECT_EQ(Printed({"count", "--dir=store"}), "1 row, 2 cells\n");
}

}  // namespace
}  // namespace shale
