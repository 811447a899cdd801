// create, put, get, scan, count, delete, flush, compact, as a user sees them.
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
using testing::MatchesRegex;

constexpr char kDir[] = "--dir=store";

class ReadWriteTest : public ToolTest {
 protected:
  void Create(const std::string& family = "f:versions=3") {
    Printed({"create", family, "g", kDir, "--region=r"});
  }
  void Put(const std::string& row, const std::string& column,
           const std::string& value, int timestamp) {
    Printed({"put", row, column, value, kDir,
             "--timestamp=" + std::to_string(timestamp)});
  }
};

TEST_F(ReadWriteTest, CreateTellsWhatItMadeAndRegionsListsIt) {
  EXPECT_EQ(Printed({"create", "raw:versions=3,ttl=30d", "meta", kDir,
                     "--region=r", "--start_row=a", "--end_row=\\xff"}),
            "created region r in store\n");
  EXPECT_EQ(Printed({"regions", kDir}),
            "REGION  START ROW  END ROW  FAMILIES\n"
            "r       a          \\xff     raw:versions=3,ttl=30d meta\n");
}

TEST_F(ReadWriteTest, APutIsEchoedAndReadBackByAnotherProcess) {
  Create();
  EXPECT_EQ(
      Printed({"put", "row\\x00", "f:q", "a\\xff", kDir, "--timestamp=5"}),
      "ROW      COLUMN  TIMESTAMP\n"
      "row\\x00  f:q     5\n");
  EXPECT_EQ(Printed({"get", "row\\x00", kDir}),
            "ROW      COLUMN  TIMESTAMP  VALUE\n"
            "row\\x00  f:q     5          a\\xff\n");
}

TEST_F(ReadWriteTest, GetPrintsJsonOneCellALine) {
  Create();
  Put("row", "f:q", "\\x00", 5);
  Put("row", "g:", "two", 6);
  EXPECT_EQ(Printed({"get", "row", kDir, "--format=json"}),
            "{\"row\":\"row\",\"column\":\"f:q\",\"timestamp\":5,"
            "\"value\":\"\\\\x00\"}\n"
            "{\"row\":\"row\",\"column\":\"g:\",\"timestamp\":6,"
            "\"value\":\"two\"}\n");
}

TEST_F(ReadWriteTest, GetTakesFamiliesAndColumnsAndVersions) {
  Create();
  Put("row", "f:a", "old", 5);
  Put("row", "f:a", "new", 6);
  Put("row", "f:b", "b", 7);
  Put("row", "g:c", "c", 8);
  EXPECT_EQ(Printed({"get", "row", "f:a", "g", kDir, "--versions=9"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "row  f:a     6          new\n"
            "row  f:a     5          old\n"
            "row  g:c     8          c\n");
  EXPECT_EQ(Printed({"get", "row", "f", kDir, "--max_timestamp=7"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "row  f:a     6          new\n");
}

TEST_F(ReadWriteTest, ARowThatIsNotThereIsExitCode1) {
  Create();
  EXPECT_EQ(Refused(kExitFailed, {"get", "row\\x00", kDir}),
            "shale: no such cell in row row\\x00 of region r\n");
}

TEST_F(ReadWriteTest, ScanPrintsARangeAndCountCountsIt) {
  Create();
  Put("a", "f:q", "1", 5);
  Put("b", "f:q", "2", 5);
  Put("b", "g:q", "3", 5);
  Put("c", "f:q", "4", 5);
  EXPECT_EQ(Printed({"scan", kDir, "--start=b", "--stop=c"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "b    f:q     5          2\n"
            "b    g:q     5          3\n"
            "(1 row, 2 cells)\n");
  EXPECT_EQ(Printed({"scan", kDir, "--limit=2", "--columns=f:q"}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "a    f:q     5          1\n"
            "b    f:q     5          2\n"
            "(2 rows, 2 cells)\n");
  EXPECT_EQ(Printed({"scan", kDir, "--start=x"}), "(0 rows, 0 cells)\n");
  EXPECT_EQ(Printed({"count", kDir}), "3 rows, 4 cells\n");
  EXPECT_EQ(Printed({"count", kDir, "--columns=g", "--format=json"}),
            "{\"rows\":1,\"cells\":1}\n");
}

TEST_F(ReadWriteTest, DeletesHideWhatTheyName) {
  Create();
  Put("row", "f:a", "1", 5);
  Put("row", "f:a", "2", 6);
  Put("row", "f:b", "3", 6);
  Put("row", "g:c", "4", 6);
  EXPECT_EQ(Printed({"delete", "row", "f:a", kDir, "--timestamp=6", "--exact"}),
            "ROW  COLUMN  TIMESTAMP\n"
            "row  f:a     6\n");
  EXPECT_EQ(Printed({"get", "row", "f", kDir}),
            "ROW  COLUMN  TIMESTAMP  VALUE\n"
            "row  f:a     5          1\n"
            "row  f:b     6          3\n");
  Printed({"delete", "row", "f:a", kDir});
  Printed({"delete", "row", "f", kDir, "--timestamp=6"});
  EXPECT_EQ(Printed({"count", kDir}), "1 row, 1 cell\n");
  Printed({"delete", "row", kDir});
  EXPECT_EQ(Printed({"count", kDir}), "0 rows, 0 cells\n");
}

TEST_F(ReadWriteTest, CompactMergesFilesAndDropsWhatIsDeleted) {
  Create("f");
  Put("a", "f:q", "1", 5);
  Put("b", "f:q", "2", 5);
  Printed({"delete", "a", kDir});
  EXPECT_EQ(Printed({"flush", kDir}), "there was nothing to flush\n");
  // One of the files is that of family g: the delete is in both.
  EXPECT_THAT(Printed({"compact", kDir}),
              MatchesRegex("compacted 4 files, .*, into 1 file, .*; "
                           "dropped 3 cells\n"));
  EXPECT_EQ(Printed({"count", kDir}), "1 row, 1 cell\n");
}

TEST_F(ReadWriteTest, AMissingDirectoryIsAnErrorAndStaysMissing) {
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{"get", "row", kDir},
                                             {"scan", kDir},
                                             {"count", kDir},
                                             {"stat", kDir},
                                             {"verify", kDir},
                                             {"regions", kDir},
                                             {"wal-dump", kDir},
                                             {"manifest-dump", kDir},
                                             {"put", "r", "f:q", "v", kDir},
                                             {"delete", "r", kDir},
                                             {"flush", kDir},
                                             {"compact", kDir}}) {
    EXPECT_THAT(Refused(kExitFailed, line), HasSubstr("/store"));
    EXPECT_THAT(Snapshot(work_), IsEmpty()) << line[0];
  }
}

TEST_F(ReadWriteTest, ADirectoryWithoutAHostIsAnErrorAndStaysAsItIs) {
  WriteFile("letter.txt", "dear all");
  const auto before = Snapshot(work_);
  EXPECT_THAT(Refused(kExitFailed, {"get", "row", "--dir=."}),
              HasSubstr("there are no regions here"));
  EXPECT_THAT(Refused(kExitFailed, {"put", "r", "f:q", "v", "--dir=."}),
              HasSubstr("there are no regions here"));
  EXPECT_EQ(Snapshot(work_), before);
}

TEST_F(ReadWriteTest, UnknownRegionsAndFamiliesAreErrorsThatSayWhatThereIs) {
  Create();
  const auto before = Snapshot(work_);
  EXPECT_THAT(Refused(kExitFailed, {"get", "row", kDir, "--region=other"}),
              HasSubstr("no region other; there is r"));
  EXPECT_THAT(Refused(kExitFailed, {"get", "row", "h:q", kDir}),
              HasSubstr("no column family h; it has f, g"));
  EXPECT_EQ(Refused(kExitFailed, {"put", "row", "h:q", "v", kDir}),
            "shale: region r has no column family h; it has f, g\n");
  EXPECT_THAT(Refused(kExitFailed, {"delete", "row", "h", kDir}),
              HasSubstr("no column family h"));
  EXPECT_THAT(Refused(kExitFailed, {"flush", kDir, "--region=other"}),
              HasSubstr("no region other"));
  EXPECT_EQ(Snapshot(work_), before);
}

TEST_F(ReadWriteTest, WritesThatTheRegionRefusesChangeNothing) {
  Printed({"create", "f", kDir, "--region=r", "--start_row=b", "--end_row=d"});
  const auto before = Snapshot(work_);
  EXPECT_THAT(Refused(kExitFailed, {"put", "", "f:q", "v", kDir}),
              HasSubstr("the row is empty"));
  EXPECT_THAT(Refused(kExitFailed, {"put", "d", "f:q", "v", kDir}),
              HasSubstr("row d is not in region r [b, d)"));
  EXPECT_THAT(Refused(kExitFailed, {"delete", "a", kDir}),
              HasSubstr("row a is not in region r [b, d)"));
  EXPECT_THAT(Refused(kExitFailed,
                      {"put", "b", "f:q", std::string(20 << 20, 'v'), kDir}),
              HasSubstr("bytes, at most"));
  EXPECT_EQ(Snapshot(work_), before);
}

TEST_F(ReadWriteTest, TheRegionMayBeLeftOutOnlyIfThereIsOne) {
  Create();
  Printed({"create", "f", kDir, "--region=s"});
  EXPECT_THAT(Refused(kExitFailed, {"count", kDir}),
              HasSubstr("--region is missing; there is r, s"));
  EXPECT_EQ(Printed({"count", kDir, "--region=s"}), "0 rows, 0 cells\n");
  EXPECT_THAT(Refused(kExitFailed, {"create", "f", kDir, "--region=s"}),
              HasSubstr("s exists already"));
}

}  // namespace
}  // namespace shale
