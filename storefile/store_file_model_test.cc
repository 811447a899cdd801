// Random cells, written and read back, against a sorted vector.
#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_kind.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/store_file_writer.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

// A short name over few bytes, so that names repeat and are prefixes of each
// other; once in a while a long one.
std::string RandomName(Random& random, size_t max_bytes) {
  if (random.OneIn(200)) {
    return random.Bytes(1) + std::string(max_bytes - 1, 'l');
  }
  std::string name;
  for (uint64_t n = random.Uniform(5); n > 0; --n) {
    name +=
        "\x00"
        "ab\xff"[random.Uniform(4)];
  }
  return name;
}

std::string RandomValue(Random& random) {
  if (random.OneIn(300)) return std::string(1 << 20, 'v');
  return random.Bytes(random.Skewed(9));
}

Cell RandomCell(Random& random) {
  constexpr CellKind kKinds[] = {CellKind::kPut, CellKind::kPut,
                                 CellKind::kDelete, CellKind::kDeleteColumn,
                                 CellKind::kDeleteFamily};
  Cell cell;
  cell.family = "f";
  cell.row = RandomName(random, kMaxRowBytes);
  cell.kind = kKinds[random.Uniform(5)];
  if (!IsFamilyDelete(cell.kind)) {
    cell.qualifier = RandomName(random, kMaxQualifierBytes);
  }
  cell.timestamp = random.OneIn(20) ? kMaxTimestamp
                                    : static_cast<Timestamp>(random.Uniform(4));
  cell.number.value = random.OneIn(20) ? ~uint64_t{0} : random.Uniform(3);
  cell.value = RandomValue(random);
  if (random.OneIn(5)) cell.tags = random.Bytes(random.Uniform(20));
  return cell;
}

std::vector<Cell> RandomCells(Random& random, size_t count) {
  std::vector<Cell> cells;
  while (cells.size() < count) {
    cells.push_back(RandomCell(random));
    // Several with one key.
    while (random.OneIn(10)) {
      cells.push_back(cells.back());
      cells.back().value = RandomValue(random);
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) {
                     return CompareCells(a.view(), b.view()) < 0;
                   });
  return cells;
}

using Params = std::tuple<size_t, Compression, BloomKind>;

class StoreFileModelTest : public testing::TestWithParam<Params> {
 protected:
  void SetUp() override {
    const Compression compression = std::get<1>(GetParam());
    if (!IsAvailable(compression)) {
      GTEST_SKIP() << CompressionName(compression) << " is not in this build";
    }
  }

  // Compares what a scanner gives from where it is on.
  void ExpectCells(CellScanner& scanner, std::vector<Cell>::const_iterator from,
                   std::vector<Cell>::const_iterator to) {
    std::string key;
    for (; from != to; ++from) {
      ASSERT_NE(scanner.cell(), nullptr);
      // Not EXPECT_EQ: a megabyte is no message.
      ASSERT_TRUE(Cell(*scanner.cell()) == *from)
          << DebugString(*scanner.cell()).substr(0, 200) << " want "
          << DebugString(from->view()).substr(0, 200);
      key.clear();
      AppendCellKey(from->view(), &key);
      ASSERT_TRUE(scanner.key() == key);
      ASSERT_OK(scanner.Next());
    }
  }

  void ExpectSeeks(const StoreFileReader& reader,
                   const std::vector<Cell>& cells, Random& random) {
    const auto scanner = reader.NewScanner({});
    for (int i = 0; i < 150; ++i) {
      const Cell target = random.OneIn(2) ? cells[random.Uniform(cells.size())]
                                          : RandomCell(random);
      std::string key;
      switch (random.Uniform(4)) {
        case 0:
          key = FirstKeyOfRow(target.row);
          break;
        case 1:
          key = FirstKeyAfterColumn(target.row, target.qualifier);
          break;
        default:
          AppendCellKey(target.view(), &key);
      }
      const auto expected =
          std::lower_bound(cells.begin(), cells.end(), key,
                           [](const Cell& cell, const std::string& k) {
                             std::string cell_key;
                             AppendCellKey(cell.view(), &cell_key);
                             return CompareCellKeys(cell_key, k) < 0;
                           });
      ASSERT_OK(scanner->Seek(key));
      if (expected == cells.end()) {
        ASSERT_EQ(scanner->cell(), nullptr);
        continue;
      }
      const auto steps = std::min<std::ptrdiff_t>(
          static_cast<std::ptrdiff_t>(random.Uniform(4)),
          cells.end() - expected);
      ASSERT_NO_FATAL_FAILURE(
          ExpectCells(*scanner, expected, expected + steps));
    }
  }

  void ExpectBloomNeverDenies(const StoreFileReader& reader,
                              const std::vector<Cell>& cells) {
    bool family_marker = false;
    for (size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = cells[i];
      if (i == 0 || cell.row != cells[i - 1].row) family_marker = false;
      family_marker |= IsFamilyDelete(cell.kind);
      ASSERT_THAT(reader.MayContainRow(cell.row), IsOkAndHolds(true));
      ASSERT_THAT(reader.MayContainColumn(cell.row, cell.qualifier),
                  IsOkAndHolds(true));
      if (family_marker) {
        ASSERT_THAT(reader.MayContainColumn(cell.row, "no such column"),
                    IsOkAndHolds(true));
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(
    All, StoreFileModelTest,
    testing::Combine(testing::Values(1, 64, 4096, 65536),
                     testing::Values(Compression::kNone, Compression::kLz4,
                                     Compression::kZstd, Compression::kSnappy),
                     testing::Values(BloomKind::kNone, BloomKind::kRow,
                                     BloomKind::kRowColumn)),
    [](const testing::TestParamInfo<Params>& info) {
      return absl::StrCat(std::get<0>(info.param), "_",
                          CompressionName(std::get<1>(info.param)), "_",
                          BloomKindName(std::get<2>(info.param)));
    });

TEST_P(StoreFileModelTest, FileAgreesWithASortedVector) {
  Random random(TestSeed());
  const auto& [block_bytes, compression, bloom] = GetParam();
  for (const size_t count : {1, 30, 500}) {
    const std::vector<Cell> cells = RandomCells(random, count);
    StoreFileWriterOptions options{.family = "f",
                                   .block_bytes = block_bytes,
                                   .compression = compression,
                                   .bloom = bloom};
    options.restart_interval = static_cast<int>(1 + random.Uniform(20));
    // Often several levels.
    options.index_block_bytes = size_t{1} << random.Uniform(18);
    ASSERT_OK_AND_ASSIGN(const std::string bytes,
                         BuildStoreFile(cells, options));
    LruBlockCache cache({.capacity_bytes = 1 << 20});
    ASSERT_OK_AND_ASSIGN(const auto reader, OpenBytes(bytes, cache));
    EXPECT_EQ(reader->info().cells, cells.size());
    EXPECT_EQ(reader->info().file_bytes, bytes.size());
    ASSERT_OK(reader->Verify(nullptr));
    const auto scanner = reader->NewScanner({.fill = CacheFill::kNoFill});
    ASSERT_OK(scanner->Seek(""));
    ASSERT_NO_FATAL_FAILURE(ExpectCells(*scanner, cells.begin(), cells.end()));
    ASSERT_EQ(scanner->cell(), nullptr);
    ASSERT_NO_FATAL_FAILURE(ExpectSeeks(*reader, cells, random));
    ASSERT_NO_FATAL_FAILURE(ExpectBloomNeverDenies(*reader, cells));
  }
}

}  // namespace
}  // namespace shale
