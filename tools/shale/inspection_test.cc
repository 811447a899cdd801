// Commands that only look: they work on any state of a directory that a crash
// or damage leaves, and leave it byte for byte as it is.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/tools/shale/run.h"
#include "shale/tools/shale/testing/store_test.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

class InspectionTest : public StoreTest {
 protected:
  // What a command prints that fails.
  std::string PrintedByFailing(const std::vector<std::string>& line) {
    const ToolRun run = Run(line);
    EXPECT_EQ(run.exit_code, kExitFailed) << run.out;
    return run.out;
  }

  // Runs every command that only looks, in both formats.
  void InspectAndChangeNothing() {
    const std::string dir = "--dir=store";
    std::vector<std::vector<std::string>> lines = {
        {"get", "row100", dir},
        {"get", "nothing", dir},
        {"scan", dir},
        {"count", dir},
        {"stat", dir},
        {"regions", dir},
        {"verify", dir},
        {"wal-dump", dir},
        {"wal-dump", "--records", dir},
        {"wal-dump", "--cells", dir},
        {"manifest-dump", dir}};
    for (const std::string& file : FilesEndingIn(".store")) {
      lines.push_back({"file-dump", file});
      lines.push_back({"file-dump", "--cells", file});
    }
    const auto before = Snapshot(work_);
    for (const std::string format : {"--format=table", "--format=json"}) {
      for (std::vector<std::string> line : lines) {
        line.push_back(format);
        const ToolRun run = Run(line);
        EXPECT_EQ(run.exit_code, line[1] == "nothing" ? 1 : 0)
            << line[0] << ": " << run.err;
        EXPECT_EQ(Snapshot(work_), before) << line[0];
      }
    }
  }
};

TEST_F(InspectionTest, TheDirectoryStaysByteIdenticalAfterACrash) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/false));
  InspectAndChangeNothing();
}

TEST_F(InspectionTest, TheDirectoryStaysByteIdenticalAfterACleanClose) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  InspectAndChangeNothing();
}

TEST_F(InspectionTest, WhatIsOnlyInTheLogIsReadToo) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/false));
  EXPECT_EQ(Printed({"count", "--dir=store"}), "110 rows, 110 cells\n");
  EXPECT_THAT(Printed({"stat", "--dir=store", "--format=json"}),
              HasSubstr("\"memstore_cells\":10,"));
  EXPECT_THAT(Printed({"wal-dump", "--cells", "--dir=store"}),
              HasSubstr("new9"));
}

TEST_F(InspectionTest, StatSaysWhichWritesThereAreAndWhichAreFlushed) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string stat = Printed({"stat", "--dir=store", "--format=json"});
  std::smatch numbers;
  ASSERT_TRUE(std::regex_search(
      stat, numbers,
      std::regex("\"read_point\":([0-9]+),"
                 "\"write_point\":([0-9]+),\"flushed\":([0-9]+)")))
      << stat;
  EXPECT_EQ(numbers[1], numbers[2]);
  // Of the 110 writes each is; the log's own markers have numbers as well.
  EXPECT_GE(std::stoi(numbers[3]), 110);
  EXPECT_LE(std::stoi(numbers[3]), std::stoi(numbers[1]));
}

TEST_F(InspectionTest, StatPrintsMetricsAsPrometheusReadsThem) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string text = Printed({"stat", "--dir=store", "--metrics"});
  EXPECT_THAT(text, HasSubstr("# TYPE shale_region_store_files gauge\n"
                              "shale_region_store_files{family=\""));
  EXPECT_THAT(text, HasSubstr("shale_cache_capacity_bytes{host=\"host\"} "));
  EXPECT_THAT(Refused(kExitUsage,
                      {"stat", "--dir=store", "--metrics", "--format=json"}),
              HasSubstr("--metrics has a format of its own"));
}

TEST_F(InspectionTest, VerifyOfASoundDirectorySaysWhatItChecked) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  EXPECT_THAT(Printed({"verify", "--dir=store"}),
              MatchesRegex("checked 1 region: 2 store files \\(.*, 110 cells\\)"
                           " and .* log segment.*: all good\n"));
}

// Flips one byte of the file and expects verify, alone, to name file and
// problem.
TEST_F(InspectionTest, VerifyNamesTheFileOfEveryFlippedByte) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/false));
  for (const std::string name : {".store", "manifest", "catalog", ".owner"}) {
    const std::string path = FileEndingIn(name);
    const std::string good = ReadFile(path);
    for (size_t at = 0; at < good.size(); at += 1 + good.size() / 97) {
      std::string bad = good;
      bad[at] ^= 0x20;
      ReplaceFile(path, bad);
      const auto before = Snapshot(work_);
      const ToolRun run = Run({"verify", "--dir=store"});
      EXPECT_EQ(run.exit_code, kExitFailed) << name << " at " << at;
      EXPECT_THAT(run.out, AllOf(HasSubstr(name), HasSubstr("offset")))
          << "at " << at;
      EXPECT_THAT(run.err, HasSubstr("shale: data loss: store: "));
      EXPECT_EQ(Snapshot(work_), before);
    }
    ReplaceFile(path, good);
  }
  Printed({"verify", "--dir=store"});
}

TEST_F(InspectionTest, VerifyNamesTheSegmentAndOffsetOfDamageInTheLog) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string path = FileEndingIn("-0000000000000001.wal");
  std::string bytes = ReadFile(path);
  bytes[bytes.size() / 2] ^= 1;
  ReplaceFile(path, bytes);
  const ToolRun run = Run({"verify", "--dir=store"});
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.out, HasSubstr(".wal  record at offset "));
}

// The record of the last close knows; the log alone would take it for the end.
TEST_F(InspectionTest, VerifyNamesALogThatWasCutSinceItWasClosed) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string path = FileEndingIn("-0000000000000001.wal");
  const std::string good = ReadFile(path);
  ReplaceFile(path, good.substr(0, good.size() - 96));
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr(absl::StrCat(".wal  ends at offset ", good.size() - 96,
                                     ", at log position ")));
  for (const std::string command : {"get", "put"}) {
    std::vector<std::string> line = {command, "r", "--dir=store"};
    if (command == "put") line.insert(line.begin() + 2, {"f:q", "v"});
    EXPECT_THAT(Refused(kExitFailed, line),
                AllOf(HasSubstr("data loss"), HasSubstr("closed the host")));
  }
  std::filesystem::remove(path);
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr("host/wal  there is no log"));
  std::string record = ReadFile(FileEndingIn("closed"));
  record.back() ^= 1;
  ReplaceFile(FileEndingIn("closed"), record);
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr("\nhost/.meta/closed  crc32c at offset 12 is 0x"));
}

TEST_F(InspectionTest, VerifyNamesATruncatedAndAMissingStoreFile) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/false));
  const std::string path = FileEndingIn(".store");
  const std::string good = ReadFile(path);
  ReplaceFile(path, good.substr(0, good.size() / 2));
  ToolRun run = Run({"verify", "--dir=store"});
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.out,
              HasSubstr(absl::StrCat("the manifest wants ", good.size())));
  std::filesystem::remove(path);
  run = Run({"verify", "--dir=store"});
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.out, HasSubstr(".store"));
}

TEST_F(InspectionTest, DamagedMetadataIsNamedByItsFile) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string path = FileEndingIn("catalog");
  std::string bytes = ReadFile(path);
  bytes.back() ^= 1;
  ReplaceFile(path, bytes);
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr("\nhost/.meta/catalog  crc32c at offset 12 is 0x"));
  const std::string error =
      Refused(kExitFailed, {"put", "r", "f:q", "v", "--dir=store"});
  EXPECT_THAT(error, HasSubstr("shale: data loss: "));
  EXPECT_THAT(error, HasSubstr("store: read host/.meta/catalog: crc32c at "
                               "offset 12 is 0x"));
}

TEST_F(InspectionTest, MissingMetadataIsDataLossAndNotAnEmptyDirectory) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  for (const std::string name : {"/manifest", "/catalog"}) {
    const std::string file = ".meta" + name;
    std::filesystem::remove(FileEndingIn(file));
    EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}), HasSubstr(file));
    for (const std::vector<std::string>& line :
         std::vector<std::vector<std::string>>{
             {"get", "r", "--dir=store"},
             {"put", "r", "f:q", "v", "--dir=store"}}) {
      EXPECT_THAT(
          Refused(kExitFailed, line),
          AllOf(HasSubstr("data loss"), HasSubstr(file), HasSubstr("missing")));
    }
  }
}

TEST_F(InspectionTest, VerifyNamesAnOwnerObjectThatWasLost) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  std::filesystem::remove(work_ + "/store/host/.meta/.owner");
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr("host/.meta/.owner is missing"));
  // The next write makes it again.
  Printed({"put", "r", "f:q", "v", "--dir=store"});
  Printed({"verify", "--dir=store"});
}

TEST_F(InspectionTest, VerifyNamesASegmentOfALaterOwner) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string stray = "host/wal/0000000000000100-0000000000000001.wal";
  WriteFile("store/" + stray, "");
  EXPECT_THAT(PrintedByFailing({"verify", "--dir=store"}),
              HasSubstr(stray + "  epoch 256 in its name, and the last "
                                "owner's, in host/.meta/.owner, is "));
  EXPECT_THAT(
      Refused(kExitFailed, {"put", "r", "f:q", "v", "--dir=store"}),
      AllOf(HasSubstr("data loss"), HasSubstr(stray), HasSubstr("epoch 256")));
}

TEST_F(InspectionTest, ADirectoryWithoutALogIsAnErrorOfWalDump) {
  std::filesystem::create_directories(work_ + "/store/host/wal");
  EXPECT_EQ(Refused(kExitFailed, {"wal-dump", "--dir=store"}),
            absl::StrCat("shale: store: there is no log in host/wal\n"));
  const std::string empty = "host/wal/0000000000000001-0000000000000001.wal";
  WriteFile("store/" + empty, "");
  EXPECT_EQ(Refused(kExitFailed, {"wal-dump", "--dir=store"}),
            absl::StrCat("shale: store: there is no log in host/wal; the "
                         "files there are no part of one: ",
                         empty, "\n"));
}

TEST_F(InspectionTest, WalDumpTellsProgramsWhatItTellsPeople) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true));
  const std::string path = FileEndingIn("-0000000000000001.wal");
  ReplaceFile(path, ReadFile(path).substr(0, ReadFile(path).size() - 1));
  EXPECT_THAT(Printed({"wal-dump", "--dir=store"}),
              HasSubstr(", then 95 bytes of a write that a crash cut off)"));
  EXPECT_THAT(Printed({"wal-dump", "--dir=store", "--format=json"}),
              HasSubstr("\"torn_bytes\":95,"));
}

TEST_F(InspectionTest, OneDamagedFileDoesNotHideAnother) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/false));
  for (const std::string name : {".store", "manifest"}) {
    const std::string path = FileEndingIn(name);
    std::string bytes = ReadFile(path);
    bytes[bytes.size() / 2] ^= 1;
    ReplaceFile(path, bytes);
  }
  const ToolRun run = Run({"verify", "--dir=store", "--format=json"});
  EXPECT_EQ(run.exit_code, kExitFailed);
  EXPECT_THAT(run.out, HasSubstr("\"problems\":2}"));
}

TEST_F(InspectionTest, ADirectoryInUseIsNotWrittenAndItsOwnerIsNamed) {
  HostOptions options;
  options.owner = "a busy server";
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<LocalHost> host,
                       LocalHost::Open(work_ + "/store", std::move(options)));
  RegionSchema schema;
  schema.name = "r";
  schema.families.emplace_back().name = "f";
  ASSERT_OK(host->host().CreateRegion(schema));
  const auto before = Snapshot(work_);
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{
           {"put", "row", "f:q", "v", "--dir=store"},
           {"delete", "row", "--dir=store"},
           {"flush", "--dir=store"},
           {"compact", "--dir=store"},
           {"create", "f", "--dir=store", "--region=s"}}) {
    EXPECT_THAT(Refused(kExitFailed, line),
                MatchesRegex("shale: .*store: (share|acquire) host: owned by a "
                             "busy server, pid [0-9]+ on host [^,]*, since "
                             "[^ ,]*\n"));
    EXPECT_EQ(Snapshot(work_), before) << line[0];
  }
}

}  // namespace
}  // namespace shale
