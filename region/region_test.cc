#include "shale/region/region.h"

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MutationBatch Batch(std::vector<RowMutation> mutations, bool atomic = false) {
  MutationBatch batch;
  batch.mutations = std::move(mutations);
  batch.atomic = atomic;
  return batch;
}

std::vector<absl::StatusCode> Codes(const ApplyResult& result) {
  std::vector<absl::StatusCode> codes;
  for (const absl::Status& status : result.statuses) {
    codes.push_back(status.code());
  }
  return codes;
}

// Looks of the region for a data block, in the cache.
int64_t DataLookups(TestHost& test) {
  const BlockCacheStats stats = test.host().cache().Stats();
  const int data = static_cast<int>(BlockKind::kData);
  return stats.hits[data] + stats.misses[data];
}

ReadOptions Versions(int n, TimeRange range = {}) {
  ReadOptions options;
  options.max_versions = n;
  options.time_range = range;
  return options;
}

TEST(RegionTest, AcknowledgedPutIsReadBackAtOnce) {
  TestHost test;
  ASSERT_OK(test.region().Apply(RowMutation("a").Put("f", "q", "v", 5)));
  EXPECT_EQ(ReadText(test.region(), "a"), "a/f:q@5=v");
}

TEST(RegionTest, AbsentRowIsEmptyAndNoError) {
  TestHost test;
  EXPECT_EQ(ReadText(test.region(), "a"), "");
}

TEST(RegionTest, PutWithoutATimestampGetsOneFromTheClock) {
  TestHost test;
  MutationBatch batch = Batch({RowMutation("a").Put("f", "q", "v")});
  const ApplyResult result = test.region().Apply(std::move(batch));
  ASSERT_OK(result.status());
  EXPECT_GT(result.commit_timestamp, 0);
  EXPECT_EQ(ReadText(test.region(), "a"),
            absl::StrCat("a/f:q@", result.commit_timestamp, "=v"));
}

TEST(RegionTest, EveryMarkerKindHidesWhatItNames) {
  RetentionRules rules;
  rules.max_versions = 10;
  TestHost test(TestHost::Schema(rules));
  Region& region = test.region();
  for (const char* row : {"a", "b", "c", "d", "e"}) {
    RowMutation puts(row);
    puts.Put("g", "q", "other", 2);
    for (Timestamp t = 1; t <= 3; ++t) {
      puts.Put("f", "p", absl::StrCat("p", t), t);
      puts.Put("f", "q", absl::StrCat("q", t), t);
    }
    ASSERT_OK(region.Apply(puts));
  }
  ASSERT_OK(region.Apply(RowMutation("a").DeleteVersion("f", "q", 2)));
  ASSERT_OK(region.Apply(RowMutation("b").DeleteColumn("f", "q", 2)));
  ASSERT_OK(region.Apply(RowMutation("c").DeleteFamily("f", 2)));
  ASSERT_OK(region.Apply(RowMutation("d").DeleteFamilyVersion("f", 2)));
  ASSERT_OK(region.Apply(RowMutation("e").DeleteRow(2)));
  const std::string want =
      "a/f:p@3=p3 a/f:p@2=p2 a/f:p@1=p1 a/f:q@3=q3 a/f:q@1=q1 a/g:q@2=other\n"
      "b/f:p@3=p3 b/f:p@2=p2 b/f:p@1=p1 b/f:q@3=q3 b/g:q@2=other\n"
      "c/f:p@3=p3 c/f:q@3=q3 c/g:q@2=other\n"
      "d/f:p@3=p3 d/f:p@1=p1 d/f:q@3=q3 d/f:q@1=q1 d/g:q@2=other\n"
      "e/f:p@3=p3 e/f:q@3=q3\n";
  Scan scan;
  scan.options = Versions(10);
  EXPECT_EQ(ScanText(region, scan), want);
  ASSERT_OK(region.Flush().status());
  EXPECT_EQ(ScanText(region, scan), want);
  ASSERT_OK(region.Compact().status());
  EXPECT_EQ(ScanText(region, scan), want);
  test.Reopen();
  EXPECT_EQ(ScanText(test.region(), scan), want);
}

TEST(RegionTest, LaterEditOfABatchWinsWhateverItsTimestamp) {
  TestHost test;
  ASSERT_OK(test.region().Apply(RowMutation("a")
                                    .Put("f", "q", "old", 100)
                                    .DeleteRow(200)
                                    .Put("f", "q", "new", 50)));
  ASSERT_OK(test.region().Apply(
      RowMutation("b").Put("f", "q", "v", 100).DeleteRow(200)));
  EXPECT_EQ(ScanText(test.region()), "a/f:q@50=new\n");
}

TEST(RegionTest, VersionsAndTimeRangesNarrowARead) {
  RetentionRules rules;
  rules.max_versions = 3;
  TestHost test(TestHost::Schema(rules));
  Region& region = test.region();
  for (Timestamp t = 1; t <= 5; ++t) {
    ASSERT_OK(region.Apply(RowMutation("a").Put("f", "q", "v", t)));
    if (t % 2 == 0) {
      ASSERT_OK(region.Flush().status());
    }
  }
  EXPECT_EQ(ReadText(region, "a"), "a/f:q@5=v");
  EXPECT_EQ(ReadText(region, "a", Versions(2)), "a/f:q@5=v a/f:q@4=v");
  EXPECT_EQ(ReadText(region, "a", Versions(9)),
            "a/f:q@5=v a/f:q@4=v a/f:q@3=v");
  EXPECT_EQ(ReadText(region, "a", Versions(9, {3, 5})), "a/f:q@4=v a/f:q@3=v");
}

TEST(RegionTest, ColumnsNarrowAReadAndFamilyDeletesStillCount) {
  TestHost test;
  Region& region = test.region();
  ASSERT_OK(region.Apply(RowMutation("a")
                             .Put("f", "", "empty", 1)
                             .Put("f", "p", "1", 1)
                             .Put("f", "q", "2", 1)
                             .Put("g", "q", "3", 1)));
  ReadOptions options;
  options.columns = {{"f", {"q", "q"}}};
  EXPECT_EQ(ReadText(region, "a", options), "a/f:q@1=2");
  options.columns = {{"g", {}}, {"f", {"", "p"}}};
  EXPECT_EQ(ReadText(region, "a", options), "a/f:@1=empty a/f:p@1=1 a/g:q@1=3");
  ASSERT_OK(region.Apply(RowMutation("a").DeleteFamily("f", 1)));
  options.columns = {{"f", {"q"}}};
  EXPECT_EQ(ReadText(region, "a", options), "");
  options.columns = {{"x", {}}};
  EXPECT_THAT(ReadText(region, "a", options), HasSubstr("NOT_FOUND"));
}

TEST(RegionTest, ScanHonoursBoundsAndLimits) {
  TestHost test;
  Region& region = test.region();
  for (const char* row : {"a", "b", "c", "d"}) {
    ASSERT_OK(region.Apply(
        RowMutation(row).Put("f", "p", "1", 1).Put("f", "q", "2", 1)));
  }
  Scan scan;
  scan.options.columns = {{"f", {"p"}}};
  scan.start_row = "b";
  scan.stop_row = "d";
  EXPECT_EQ(ScanText(region, scan), "b/f:p@1=1\nc/f:p@1=1\n");
  scan.include_start = false;
  scan.include_stop = true;
  EXPECT_EQ(ScanText(region, scan), "c/f:p@1=1\nd/f:p@1=1\n");
  scan.row_limit = 1;
  EXPECT_EQ(ScanText(region, scan), "c/f:p@1=1\n");
  Scan batched;
  batched.batch_cells = 1;
  batched.row_limit = 2;
  EXPECT_EQ(ScanText(region, batched),
            "a/f:p@1=1 ...\na/f:q@1=2\nb/f:p@1=1 ...\nb/f:q@1=2\n");
}

TEST(RegionTest, ScannerKeepsItsMomentAcrossWritesFlushAndCompaction) {
  TestHost test;
  Region& region = test.region();
  for (const char* row : {"a", "b", "c"}) {
    ASSERT_OK(region.Apply(RowMutation(row).Put("f", "q", "old", 1)));
  }
  ASSERT_OK(region.Flush().status());
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionScanner> scanner,
                       region.NewScanner({}));
  ASSERT_OK_AND_ASSIGN(std::optional<RowResult> first, scanner->Next());
  EXPECT_EQ(Text(*first), "a/f:q@1=old");
  ASSERT_OK(region.Apply(RowMutation("b").Put("f", "q", "new", 2)));
  ASSERT_OK(region.Apply(RowMutation("c").DeleteRow(9)));
  ASSERT_OK(region.Flush().status());
  ASSERT_OK(region.Compact().status());
  ASSERT_OK_AND_ASSIGN(std::optional<RowResult> second, scanner->Next());
  EXPECT_EQ(Text(*second), "b/f:q@1=old");
  ASSERT_OK_AND_ASSIGN(std::optional<RowResult> third, scanner->Next());
  EXPECT_EQ(Text(*third), "c/f:q@1=old");
  ASSERT_OK_AND_ASSIGN(std::optional<RowResult> end, scanner->Next());
  EXPECT_FALSE(end.has_value());
  EXPECT_EQ(ScanText(region), "a/f:q@1=old\nb/f:q@2=new\n");
}

TEST(RegionTest, BadMutationsOfABatchLeaveGoodOnesAlone) {
  RegionSchema schema = TestHost::Schema();
  schema.start_row = "b";
  schema.end_row = "m";
  RegionOptions options;
  options.max_cell_bytes = 1000;
  TestHost test(schema, options);
  const ApplyResult result = test.region().Apply(Batch({
      RowMutation("b").Put("f", "q", "v"),
      RowMutation("").Put("f", "q", "v"),
      RowMutation("a").Put("f", "q", "v"),
      RowMutation("m").Put("f", "q", "v"),
      RowMutation("c").Put("x", "q", "v"),
      RowMutation("d"),
      RowMutation("e").Put("f", "q", std::string(1000, 'v')),
      RowMutation("f").Put("f", "q", "v", -1),
      RowMutation(std::string(kMaxRowBytes + 1, 'c')).Put("f", "q", "v"),
      RowMutation("l").Put("f", "q", "v"),
  }));
  EXPECT_THAT(
      Codes(result),
      ElementsAre(absl::StatusCode::kOk, absl::StatusCode::kInvalidArgument,
                  absl::StatusCode::kOutOfRange, absl::StatusCode::kOutOfRange,
                  absl::StatusCode::kNotFound,
                  absl::StatusCode::kInvalidArgument,
                  absl::StatusCode::kInvalidArgument,
                  absl::StatusCode::kInvalidArgument,
                  absl::StatusCode::kInvalidArgument, absl::StatusCode::kOk));
  EXPECT_EQ(ScanText(test.region(), {}, false), "b/f:q=v\nl/f:q=v\n");
}

TEST(RegionTest, ReadsWithRowsThatCannotBeAreRefused) {
  TestHost test;
  const std::string longest(kMaxRowBytes, 'r');
  ASSERT_OK(test.region().Apply(RowMutation(longest).Put("f", "q", "v", 1)));
  EXPECT_EQ(ReadText(test.region(), longest), longest + "/f:q@1=v");
  Scan after;
  after.start_row = longest;
  after.include_start = false;
  EXPECT_EQ(ScanText(test.region(), after), "");
  EXPECT_THAT(test.region().Read({longest + "r", {}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(test.region().Read({"", {}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  Scan beyond;
  beyond.stop_row = longest + "r";
  EXPECT_THAT(test.region().NewScanner(beyond),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(RegionTest, UnknownDurabilityIsRefused) {
  TestHost test;
  EXPECT_THAT(test.region().Apply(RowMutation("a").Put("f", "q", "v"),
                                  static_cast<Durability>(99)),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(ScanText(test.region()), "");
}

TEST(RegionTest, GetOfAnAbsentRowReadsNoOtherRowsBlocks) {
  RegionSchema schema = TestHost::Schema();
  schema.families[0].block_bytes = 1;  // A block for each cell.
  schema.families[0].bloom = BloomKind::kNone;
  TestHost test(schema);
  for (int i = 100; i < 200; ++i) {
    ASSERT_OK(test.region().Apply(
        RowMutation(absl::StrCat(i)).Put("f", "q", "v", 1).DeleteRow(1)));
  }
  ASSERT_OK(test.region().Flush().status());
  const int64_t before = DataLookups(test);
  EXPECT_EQ(ReadText(test.region(), "150a"), "");
  EXPECT_LE(DataLookups(test) - before, 2);
}

TEST(RegionTest, AGetOfColumnsReadsNoFileThatItsColumnBloomRulesOut) {
  RegionSchema schema = TestHost::Schema();
  schema.families[0].bloom = BloomKind::kRowColumn;
  TestHost test(schema);
  Region& region = test.region();
  for (const char* qualifier : {"p", "q", "s"}) {
    ASSERT_OK(region.Apply(RowMutation("a").Put("f", qualifier, "v", 1)));
    ASSERT_OK(region.Flush().status());
  }
  const auto lookups = [&](std::vector<std::string> qualifiers) {
    ReadOptions options;
    options.columns = {{"f", std::move(qualifiers)}};
    const int64_t before = DataLookups(test);
    ReadText(region, "a", options);
    return DataLookups(test) - before;
  };
  EXPECT_EQ(lookups({"q"}), 1);
  EXPECT_EQ(lookups({"p", "s"}), 2);
  EXPECT_EQ(lookups({"r"}), 0);
  EXPECT_EQ(lookups({}), 3);
}

TEST(RegionTest, MarkersCountWhereAColumnBloomRulesOutFiles) {
  RegionSchema schema = TestHost::Schema();
  schema.families[0].bloom = BloomKind::kRowColumn;
  TestHost test(schema);
  Region& region = test.region();
  const auto flushed = [&region](const RowMutation& mutation) {
    ASSERT_OK(region.Apply(mutation));
    ASSERT_OK(region.Flush().status());
  };
  for (const char* row : {"a", "b", "c", "d"}) {
    flushed(RowMutation(row).Put("f", "q", "v", 2).Put("f", "r", "v", 1));
  }
  flushed(RowMutation("a").DeleteFamily("f", 1));
  flushed(RowMutation("b").DeleteColumn("f", "q", 2));
  flushed(RowMutation("c").DeleteFamilyVersion("f", 2));
  flushed(RowMutation("d").DeleteRow().Put("f", "p", "v", 3));
  ReadOptions options;
  options.columns = {{"f", {"q", "r"}}};
  EXPECT_EQ(ReadText(region, "a", options), "a/f:q@2=v");
  EXPECT_EQ(ReadText(region, "b", options), "b/f:r@1=v");
  EXPECT_EQ(ReadText(region, "c", options), "c/f:r@1=v");
  EXPECT_EQ(ReadText(region, "d", options), "");
}

TEST(RegionTest, OneBadMutationRefusesAnAtomicBatch) {
  TestHost test;
  const ApplyResult result =
      test.region().Apply(Batch({RowMutation("a").Put("f", "q", "v"),
                                 RowMutation("b").Put("x", "q", "v")},
                                /*atomic=*/true));
  EXPECT_THAT(Codes(result), ElementsAre(absl::StatusCode::kAborted,
                                         absl::StatusCode::kNotFound));
  EXPECT_EQ(ScanText(test.region()), "");
}

TEST(RegionTest, WritesOfEveryDurabilityAreReadBackAndSurviveACleanClose) {
  TestHost test;
  int row = 0;
  for (const Durability level : {Durability::kSkipWal, Durability::kAsyncWal,
                                 Durability::kSyncWal, Durability::kFsyncWal}) {
    ASSERT_OK(test.region().Apply(
        RowMutation(absl::StrCat(row++)).Put("f", "q", "v", 1), level));
  }
  const std::string want = "0/f:q@1=v\n1/f:q@1=v\n2/f:q@1=v\n3/f:q@1=v\n";
  EXPECT_EQ(ScanText(test.region()), want);
  test.Reopen();
  EXPECT_EQ(ScanText(test.region()), want);
}

TEST(RegionTest, ConcurrentWritersAllGetThrough) {
  RegionOptions options;
  options.flush_bytes = 64 << 10;  // So that flushes run beside them.
  TestHost test(TestHost::Schema(), options);
  constexpr int kThreads = 8;
  constexpr int kWrites = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&test, t] {
      for (int i = 0; i < kWrites; ++i) {
        EXPECT_OK(test.region().Apply(RowMutation(absl::StrCat(t, "-", i))
                                          .Put("f", "q", std::string(100, 'v'))
                                          .Put("g", "q", "w")));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  test.Reopen();
  Scan scan;
  scan.options.columns = {{"f", {}}};
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionScanner> scanner,
                       test.region().NewScanner(scan));
  int rows = 0;
  for (;;) {
    ASSERT_OK_AND_ASSIGN(std::optional<RowResult> row, scanner->Next());
    if (!row.has_value()) break;
    ++rows;
  }
  EXPECT_EQ(rows, kThreads * kWrites);
}

TEST(RegionTest, ClosedRegionRefusesEverything) {
  TestHost test;
  ASSERT_OK(test.region().Close());
  EXPECT_OK(test.region().Close());
  EXPECT_THAT(test.region().Apply(RowMutation("a").Put("f", "q", "v")),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(test.region().Read({"a", {}}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(test.region().Flush(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(test.region().Health().state, HealthState::kClosed);
}

TEST(RegionTest, FlushMovesCellsToFilesAndCompactionMergesThem) {
  TestHost test;
  Region& region = test.region();
  ASSERT_OK_AND_ASSIGN(const FlushResult nothing, region.Flush());
  EXPECT_FALSE(nothing.flushed);
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(region.Apply(RowMutation("a").Put("f", "q", "v", i)));
    ASSERT_OK_AND_ASSIGN(const FlushResult flushed, region.Flush());
    EXPECT_TRUE(flushed.flushed);
    EXPECT_EQ(flushed.files.size(), 1u);
  }
  EXPECT_EQ(region.Stats().families[0].files, 3);
  EXPECT_EQ(region.Stats().families[0].memstore_cells, 0);
  ASSERT_OK_AND_ASSIGN(const CompactionResult compacted, region.Compact());
  EXPECT_EQ(compacted.input_files, 3u);
  EXPECT_EQ(compacted.dropped_cells, 2u);
  EXPECT_EQ(region.Stats().families[0].files, 1);
  EXPECT_OK(region.Verify({}));
}

}  // namespace
}  // namespace shale
