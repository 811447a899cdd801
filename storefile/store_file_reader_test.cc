#include "shale/storefile/store_file_reader.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/store_file_writer.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

using testing::HasSubstr;

class StoreFileReaderTest : public testing::Test {
 protected:
  std::unique_ptr<StoreFileReader> Open(
      const std::vector<Cell>& cells,
      const StoreFileWriterOptions& options = {.family = "f"}) {
    absl::StatusOr<std::string> bytes = BuildStoreFile(cells, options);
    EXPECT_OK(bytes);
    if (!bytes.ok()) return nullptr;
    bytes_ = *std::move(bytes);
    auto reader = OpenBytes(bytes_, cache_, &spy_);
    EXPECT_OK(reader);
    spy_.reads = 0;
    spy_.bytes = 0;
    return reader.ok() ? *std::move(reader) : nullptr;
  }

  // Block reads that a fresh get of the columns takes, each column by a seek.
  int BlocksToGet(const StoreFileReader& reader,
                  const std::vector<std::string>& qualifiers) {
    cache_.EvictFile(reader.file_id());
    spy_.reads = 0;
    const auto scanner = reader.NewScanner({});
    for (const std::string& qualifier : qualifiers) {
      EXPECT_OK(scanner->Seek(FirstKeyOfColumn("row", qualifier)));
      EXPECT_NE(scanner->cell(), nullptr);
      EXPECT_EQ(scanner->cell()->qualifier, qualifier);
    }
    return spy_.reads;
  }

  LruBlockCache cache_{{.capacity_bytes = 64 << 20}};
  ReadSpy spy_;
  std::string bytes_;
};

std::vector<Cell> ManyRows(int count, size_t value_bytes = 10) {
  std::vector<Cell> cells;
  for (int i = 0; i < count; ++i) {
    cells.push_back(ParseCellText(absl::StrFormat(
        "row%06d/f:q@5#%d put %s", i, i + 1, std::string(value_bytes, 'v'))));
  }
  return cells;
}

// A129.
TEST_F(StoreFileReaderTest, AFileWithoutCellsOpensAndHasNone) {
  for (const BloomKind bloom :
       {BloomKind::kNone, BloomKind::kRow, BloomKind::kRowColumn}) {
    const auto reader = Open({}, {.family = "f", .bloom = bloom});
    ASSERT_NE(reader, nullptr);
    EXPECT_EQ(reader->info().cells, 0u);
    EXPECT_GT(reader->info().min_timestamp, reader->info().max_timestamp);
    const auto scanner = reader->NewScanner({});
    EXPECT_OK(scanner->Seek(""));
    EXPECT_EQ(scanner->cell(), nullptr);
    EXPECT_OK(scanner->Seek(FirstKeyOfRow("r")));
    EXPECT_EQ(scanner->cell(), nullptr);
    EXPECT_THAT(reader->MayContainRow(""), IsOkAndHolds(false));
    EXPECT_THAT(reader->MiddleRow(), IsOkAndHolds(""));
    EXPECT_OK(reader->Verify(nullptr));
  }
}

// A111.
TEST_F(StoreFileReaderTest, InfoSaysWhetherThereAreTags) {
  std::vector<Cell> cells = ParseCellsText("a/f:q@5#1 put v, b/f:q@5#2 put v");
  EXPECT_EQ(Open(cells)->info().tagged_cells, 0u);
  cells[1].tags = "tags";
  EXPECT_EQ(Open(cells)->info().tagged_cells, 1u);
}

// A116, A131: what a time range is compared with is of the cells in the file.
TEST_F(StoreFileReaderTest, InfoHasTheTimeRangeOfTheCellsWritten) {
  const auto reader = Open(ParseCellsText(
      "r/f:q@20#4 put v, r/f:q@10#3 put v, r/f:q@5#2 put v, r/f:q@1#1 put v"));
  EXPECT_EQ(reader->info().min_timestamp, 1);
  EXPECT_EQ(reader->info().max_timestamp, 20);
  EXPECT_EQ(reader->info().min_number, WriteNumber{1});
  EXPECT_EQ(reader->info().max_number, WriteNumber{4});
}

TEST_F(StoreFileReaderTest, InfoKeepsWhatTheWriterWasTold) {
  const auto reader = Open(ManyRows(10), {.family = "f",
                                          .block_bytes = 1,
                                          .bloom = BloomKind::kRowColumn,
                                          .includes_oldest = true});
  EXPECT_EQ(reader->info().family, "f");
  EXPECT_EQ(reader->info().bloom, BloomKind::kRowColumn);
  EXPECT_TRUE(reader->info().includes_oldest);
  EXPECT_EQ(reader->info().data_blocks, 10u);
  EXPECT_EQ(reader->info().file_bytes, bytes_.size());
  EXPECT_EQ(reader->info().created_at, 1600000000 * int64_t{1000000});
  EXPECT_EQ(reader->info().first_row, "row000000");
  EXPECT_EQ(reader->info().last_row, "row000009");
}

TEST_F(StoreFileReaderTest, OpeningTakesOneReadOrTwo) {
  ASSERT_NE(Open(ManyRows(5)), nullptr);
  ReadSpy small;
  ASSERT_OK(OpenBytes(bytes_, cache_, &small));
  EXPECT_EQ(small.reads, 1);
  // A root of more than what is read at first.
  ASSERT_NE(
      Open(ManyRows(5000),
           {.family = "f", .block_bytes = 1, .index_block_bytes = 1 << 20}),
      nullptr);
  ReadSpy large;
  ASSERT_OK(OpenBytes(bytes_, cache_, &large));
  EXPECT_EQ(large.reads, 2);
  EXPECT_LT(large.bytes, bytes_.size());
}

// A134.
TEST_F(StoreFileReaderTest, AGetReadsOnlyTheBlocksOfItsColumns) {
  std::vector<Cell> cells;
  for (int i = 1; i <= 7; ++i) {
    cells.push_back(
        ParseCellText(absl::StrCat("row/f:col", i, "@5#", i, " put v")));
  }
  const auto reader = Open(cells, {.family = "f", .block_bytes = 1});
  EXPECT_EQ(reader->info().data_blocks, 7u);
  EXPECT_EQ(BlocksToGet(*reader, {"col1"}), 1);
  EXPECT_EQ(BlocksToGet(*reader, {"col1", "col2"}), 2);
  EXPECT_EQ(BlocksToGet(*reader, {"col2", "col3"}), 2);
  EXPECT_EQ(BlocksToGet(*reader, {"col5"}), 1);
}

TEST_F(StoreFileReaderTest, ASeekWithinTheBlockTouchesNothingElse) {
  // Two data blocks, each with half of the rows, and an index of two levels.
  const auto reader =
      Open(ManyRows(200),
           {.family = "f", .block_bytes = 3000, .index_block_bytes = 1});
  const auto scanner = reader->NewScanner({});
  ASSERT_OK(scanner->Seek(FirstKeyOfRow("row000010")));
  const BlockCacheStats before = cache_.Stats();
  for (const char* row : {"row000020", "row000015", "row000021x"}) {
    ASSERT_OK(scanner->Seek(FirstKeyOfRow(row)));
  }
  EXPECT_EQ(scanner->cell()->row, "row000022");
  const BlockCacheStats after = cache_.Stats();
  for (size_t kind = 0; kind < kBlockKinds; ++kind) {
    EXPECT_EQ(after.hits[kind], before.hits[kind]);
    EXPECT_EQ(after.misses[kind], before.misses[kind]);
  }
}

// A136.
TEST_F(StoreFileReaderTest, AScanWithoutFillingLeavesNoBlockInTheCache) {
  const auto reader = Open(ManyRows(2), {.family = "f", .block_bytes = 1});
  const auto scan = [&](CacheFill fill) {
    const auto scanner = reader->NewScanner({.fill = fill});
    EXPECT_OK(scanner->Seek(""));
    while (scanner->cell() != nullptr) EXPECT_OK(scanner->Next());
    return cache_.Stats().resident_blocks;
  };
  EXPECT_EQ(scan(CacheFill::kNoFill), 0);
  EXPECT_EQ(scan(CacheFill::kFill), 2);
  EXPECT_EQ(cache_.Stats().misses[static_cast<int>(BlockKind::kData)], 4);
  EXPECT_EQ(scan(CacheFill::kFill), 2);
  EXPECT_EQ(cache_.Stats().hits[static_cast<int>(BlockKind::kData)], 2);
}

TEST_F(StoreFileReaderTest, ViewsOutliveTheirBlocksEviction) {
  const auto reader = Open(ManyRows(2), {.family = "f", .block_bytes = 1});
  const auto scanner = reader->NewScanner({});
  ASSERT_OK(scanner->Seek(""));
  cache_.EvictFile(reader->file_id());
  EXPECT_EQ(CellText(*scanner->cell()), "row000000/f:q@5#1 put vvvvvvvvvv");
}

TEST_F(StoreFileReaderTest, ScannersGiveTheFamilyAndRefuseWhatIsNoKey) {
  const auto reader = Open(ManyRows(2));
  const auto scanner = reader->NewScanner({});
  EXPECT_THAT(scanner->Seek("x"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("seek")));
  EXPECT_THAT(scanner->Seek(""), StatusIs(absl::StatusCode::kInvalidArgument))
      << "errors stick";
  const auto another = reader->NewScanner({});
  ASSERT_OK(another->Seek(""));
  EXPECT_EQ(another->cell()->family, "f");
}

// A63: the marker hides every column of its row.
TEST_F(StoreFileReaderTest, AFamilyMarkerIsPresentForEveryColumnOfItsRow) {
  const auto reader =
      Open(ParseCellsText("a/f:q@5#1 put v, b/f:@6#2 delfam, c/f:q@5#3 put v"),
           {.family = "f", .bloom = BloomKind::kRowColumn});
  EXPECT_THAT(reader->MayContainColumn("a", "q"), IsOkAndHolds(true));
  EXPECT_THAT(reader->MayContainColumn("a", "other"), IsOkAndHolds(false));
  EXPECT_THAT(reader->MayContainColumn("b", "q"), IsOkAndHolds(true));
  EXPECT_THAT(reader->MayContainColumn("b", "other"), IsOkAndHolds(true));
  EXPECT_THAT(reader->MayContainColumn("c", "other"), IsOkAndHolds(false));
}

TEST_F(StoreFileReaderTest, RowsOutsideTheFilesRangeAreDeniedWithoutABloom) {
  const auto reader =
      Open(ManyRows(9), {.family = "f", .bloom = BloomKind::kNone});
  EXPECT_THAT(reader->MayContainRow("a"), IsOkAndHolds(false));
  EXPECT_THAT(reader->MayContainColumn("z", "q"), IsOkAndHolds(false));
  EXPECT_THAT(reader->MayContainRow("row000004x"), IsOkAndHolds(true));
}

// B097: one row of very many columns, over many chunks and index levels.
TEST_F(StoreFileReaderTest, ABloomOfManyChunksNeverDeniesAndReadsOneChunk) {
  std::vector<Cell> cells;
  for (int i = 0; i < 120'000; ++i) {
    cells.push_back(ParseCellText(absl::StrFormat("row/f:q%06d@5#1 put v", i)));
  }
  const auto reader = Open(
      cells,
      {.family = "f", .index_block_bytes = 1, .bloom = BloomKind::kRowColumn});
  int wrong = 0;
  for (int i = 0; i < 120'000; i += 7) {
    ASSERT_THAT(reader->MayContainColumn("row", absl::StrFormat("q%06d", i)),
                IsOkAndHolds(true));
    wrong += *reader->MayContainColumn("row", absl::StrFormat("q%06dx", i));
  }
  EXPECT_LT(wrong, 2 * 0.01 * 120'000 / 7);
  EXPECT_GT(wrong, 0.5 * 0.01 * 120'000 / 7);
  cache_.EvictFile(reader->file_id());
  spy_.reads = 0;
  ASSERT_OK(reader->MayContainColumn("row", "q060000"));
  EXPECT_EQ(spy_.reads, 2) << "a chunk and the index block above it";
}

TEST_F(StoreFileReaderTest, TheMiddleRowHalvesTheFile) {
  for (const size_t index_block_bytes : {1000, 1 << 17}) {
    for (const size_t block_bytes : {1, 500, 1 << 20}) {
      const auto reader =
          Open(ManyRows(1000), {.family = "f",
                                .block_bytes = block_bytes,
                                .index_block_bytes = index_block_bytes});
      ASSERT_OK_AND_ASSIGN(const std::string row, reader->MiddleRow());
      EXPECT_GT(row, "row000350");
      EXPECT_LT(row, "row000650");
    }
  }
}

TEST_F(StoreFileReaderTest, TheMiddleRowIsNeverTheFirst) {
  EXPECT_THAT(Open(ManyRows(1))->MiddleRow(), IsOkAndHolds(""));
  EXPECT_THAT(Open(ManyRows(2))->MiddleRow(), IsOkAndHolds("row000001"));
  std::vector<Cell> cells;
  for (int i = 0; i < 500; ++i) {
    cells.push_back(ParseCellText(absl::StrFormat("a/f:q%03d@5#1 put v", i)));
  }
  cells.push_back(ParseCellText("b/f:q@5#1 put v"));
  EXPECT_THAT(Open(cells, {.family = "f", .block_bytes = 64})->MiddleRow(),
              IsOkAndHolds("b"));
}

TEST_F(StoreFileReaderTest, VerifyReportsEveryByteOnce) {
  const auto reader = Open(ManyRows(300), {.family = "f", .block_bytes = 500});
  uint64_t done = 0;
  ASSERT_OK(reader->Verify([&](uint64_t bytes) {
    EXPECT_GT(bytes, done);
    done = bytes;
  }));
  EXPECT_EQ(done, bytes_.size());
  EXPECT_EQ(cache_.Stats().resident_blocks, 0) << "verifying fills no cache";
}

}  // namespace
}  // namespace shale
