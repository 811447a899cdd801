// Files of version 1 as they were written first. A reader of any later version
// reads them; the writer of version 1 writes them again, byte by byte, except
// for compressed ones, whose bytes are their library's affair.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

struct Golden {
  const char* name;
  std::vector<Cell> cells;
  StoreFileWriterOptions options;
};

// Markers, versions, tags, an empty qualifier and value, bytes of all kinds.
std::vector<Cell> SampleCells() {
  std::vector<Cell> cells = ParseCellsText(
      "a/f:@9#7 delfam, a/f:@8#6 delfamver, a/f:q1@7#5 put one, "
      "a/f:q1@5#4 put two, a/f:q2@7#5 delcol, a/f:q2@7#4 put gone, "
      "b\\x00\\xff/f:\\x01@3#3 put \\x00\\xff, c/f:@3#3 put, "
      "c/f:tagged@3#2 put value");
  cells.back().tags = std::string("\x08\x03ttl", 5);
  for (int i = 100; i < 140; ++i) {
    cells.push_back(ParseCellText(
        absl::StrCat("row", i, "/f:qualifier@", i, "#1 put value", i)));
  }
  return cells;
}

StoreFileWriterOptions SampleOptions(Compression compression) {
  return {.family = "f",
          .block_bytes = 256,
          .restart_interval = 4,
          .index_block_bytes = 128,
          .compression = compression,
          .bloom = BloomKind::kRowColumn};
}

std::vector<Golden> Goldens() {
  return {
      {"v1_empty.sf", {}, {.family = "f"}},
      {"v1_one_cell.sf",
       ParseCellsText("row/f:q@5#9 put value"),
       {.family = "f", .bloom = BloomKind::kNone}},
      {"v1_sample.sf", SampleCells(), SampleOptions(Compression::kNone)},
      {"v1_lz4.sf", SampleCells(), SampleOptions(Compression::kLz4)},
      {"v1_zstd.sf", SampleCells(), SampleOptions(Compression::kZstd)},
      {"v1_snappy.sf", SampleCells(), SampleOptions(Compression::kSnappy)},
  };
}

std::string ReadGolden(const std::string& name) {
  std::ifstream in("storefile/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Those of which `is_wanted(compression)`.
template <typename IsWanted>
std::vector<Golden> GoldensWhere(IsWanted is_wanted) {
  std::vector<Golden> all = Goldens();
  std::vector<Golden> wanted;
  for (Golden& golden : all) {
    if (is_wanted(golden.options.compression)) {
      wanted.push_back(std::move(golden));
    }
  }
  return wanted;
}

std::string GoldenName(const testing::TestParamInfo<Golden>& info) {
  const std::string name = info.param.name;
  return name.substr(0, name.find('.'));
}

class StoreFileGoldenTest : public testing::TestWithParam<Golden> {};
class StoreFileRewriteTest : public testing::TestWithParam<Golden> {};

INSTANTIATE_TEST_SUITE_P(Readable, StoreFileGoldenTest,
                         testing::ValuesIn(GoldensWhere(IsAvailable)),
                         GoldenName);
INSTANTIATE_TEST_SUITE_P(Uncompressed, StoreFileRewriteTest,
                         testing::ValuesIn(GoldensWhere([](Compression c) {
                           return c == Compression::kNone;  // All bytes ours.
                         })),
                         GoldenName);

TEST_P(StoreFileGoldenTest, IsReadAsItWasWritten) {
  const Golden& golden = GetParam();
  const std::string bytes = ReadGolden(golden.name);
  EXPECT_OK(OpenAndVerify(bytes));
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  ASSERT_OK_AND_ASSIGN(const auto reader, OpenBytes(bytes, cache));
  EXPECT_EQ(reader->info().compression, golden.options.compression);
  EXPECT_EQ(reader->info().bloom, golden.options.bloom);
  const auto scanner = reader->NewScanner({});
  ASSERT_OK(scanner->Seek(""));
  for (const Cell& cell : golden.cells) {
    ASSERT_NE(scanner->cell(), nullptr);
    EXPECT_EQ(CellText(*scanner->cell()), CellText(cell.view()));
    EXPECT_EQ(scanner->cell()->tags, cell.tags);
    ASSERT_OK(scanner->Next());
  }
  EXPECT_EQ(scanner->cell(), nullptr);
}

TEST_P(StoreFileRewriteTest, IsWrittenAgain) {
  const Golden& golden = GetParam();
  EXPECT_THAT(BuildStoreFile(golden.cells, golden.options),
              IsOkAndHolds(ReadGolden(golden.name)));
}

}  // namespace
}  // namespace shale
