#include "shale/cell/cell_key.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

std::string KeyOf(const CellView& cell) {
  std::string key;
  AppendCellKey(cell, &key);
  return key;
}

std::string KeyOf(absl::string_view text) {
  return KeyOf(ParseCellText(text).view());
}

int Sign(int order) { return (order > 0) - (order < 0); }

// Names from two letters, one of them zero, so that prefixes, empty names and
// equal names are common.
std::string RandomName(Random& random) {
  std::string name(random.Uniform(4), '\0');
  for (char& c : name) c = random.OneIn(2) ? '\0' : '\xff';
  return name;
}

Cell RandomCell(Random& random) {
  constexpr CellKind kKinds[] = {
      CellKind::kPut, CellKind::kDelete, CellKind::kDeleteFamilyVersion,
      CellKind::kDeleteColumn, CellKind::kDeleteFamily};
  constexpr Timestamp kTimestamps[] = {0, 1, 255, 256, kMaxTimestamp};
  Cell cell;
  cell.row = RandomName(random);
  cell.timestamp = kTimestamps[random.Uniform(5)];
  cell.kind = kKinds[random.Uniform(5)];
  if (!IsFamilyDelete(cell.kind)) cell.qualifier = RandomName(random);
  cell.number =
      WriteNumber{random.OneIn(4) ? random.Next() : random.Uniform(4)};
  return cell;
}

TEST(CellKeyTest, CellsSortFromNewestToOldestAndMarkersBeforePuts) {
  const absl::string_view ascending[] = {
      "a/:@9#1 delfam",  "a/:@9#1 delfamver", "a/:@9#1 put",
      "a/:@8#7 delfam",  "a/:q@7#9 put",      "a/:q@6#3 delcol",
      "a/:q@6#2 delcol", "a/:q@6#3 del",      "a/:q@6#9 put",
      "a/:q@6#8 put",    "a/:q@5#100 put",    "a/:q\\x00@9#1 put",
      "a/:qq@9#1 put",   "a/:r@9#1 put",      "a\\x00/:a@9#1 put",
      "aa/:a@9#1 put",   "a\\xff/:a@9#1 put", "b/:@9#1 put",
  };
  std::vector<std::string> keys;
  for (absl::string_view text : ascending) keys.push_back(KeyOf(text));
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < keys.size(); ++j) {
      EXPECT_EQ(Sign(CompareCellKeys(keys[i], keys[j])),
                Sign(static_cast<int>(i) - static_cast<int>(j)))
          << i << " and " << j;
    }
  }
}

TEST(CellKeyTest, KeysParseBackAndSortAsTheirCells) {
  Random random(TestSeed());
  for (int i = 0; i < 20000; ++i) {
    const Cell a = RandomCell(random);
    const Cell b = RandomCell(random);
    const std::string a_key = KeyOf(a.view());
    const std::string b_key = KeyOf(b.view());
    ASSERT_EQ(a_key.size(), CellKeyBytes(a.view()));
    CellView parsed;
    ASSERT_TRUE(ParseCellKey(a_key, &parsed));
    ASSERT_EQ(Cell(parsed), a);
    ASSERT_EQ(CellKeyRow(a_key), a.row);
    ASSERT_EQ(Sign(CompareCellKeys(a_key, b_key)),
              Sign(CompareCells(a.view(), b.view())))
        << CellText(a.view()) << " and " << CellText(b.view());
  }
}

TEST(CellKeyTest, SeekKeysBoundTheirRowColumnAndVersion) {
  Random random(TestSeed());
  for (int i = 0; i < 20000; ++i) {
    const Cell cell = RandomCell(random);
    const Cell place = RandomCell(random);
    const std::string key = KeyOf(cell.view());
    const auto at_or_after = [&key](absl::string_view seek_key) {
      return CompareCellKeys(key, seek_key) >= 0;
    };
    const int row = cell.row.compare(place.row);
    const int column = row != 0 ? row : cell.qualifier.compare(place.qualifier);
    const bool version =
        column > 0 || (column == 0 && cell.timestamp <= place.timestamp);
    ASSERT_EQ(at_or_after(FirstKeyOfRow(place.row)), row >= 0);
    ASSERT_EQ(at_or_after(FirstKeyAfterRow(place.row)), row > 0);
    ASSERT_EQ(at_or_after(FirstKeyOfColumn(place.row, place.qualifier)),
              column >= 0);
    ASSERT_EQ(at_or_after(FirstKeyAfterColumn(place.row, place.qualifier)),
              column > 0);
    ASSERT_EQ(at_or_after(FirstKeyOfVersion(place.row, place.qualifier,
                                            place.timestamp)),
              version);
  }
}

TEST(CellKeyTest, TheLongestRowHasAFirstKeyAfterIt) {
  const std::string row(kMaxRowBytes, '\xff');
  EXPECT_LT(CompareCellKeys(KeyOf(CellView{.row = row}), FirstKeyAfterRow(row)),
            0);
}

// The bytes of docs/formats/cell.md.
TEST(CellKeyTest, EncodingIsTheDocumentedOne) {
  EXPECT_EQ(absl::BytesToHexString(KeyOf("row/:q@5#9 put")),
            "0003726f7771fffffffffffffffafbfffffffffffffff6");
}

TEST(CellKeyTest, BytesThatAreNoKeyAreRefused) {
  CellView cell;
  const std::string key = KeyOf("row/:q@5#9 del");
  for (size_t length = 0; length < 2 + kCellKeySuffixBytes; ++length) {
    EXPECT_FALSE(ParseCellKey(key.substr(0, length), &cell)) << length;
  }
  const auto with_byte = [&key](size_t offset, char byte) {
    std::string changed = key;
    changed[offset] = byte;
    return changed;
  };
  EXPECT_TRUE(ParseCellKey(key, &cell));
  EXPECT_FALSE(ParseCellKey(with_byte(1, 5), &cell)) << "row past the end";
  EXPECT_FALSE(ParseCellKey(with_byte(0, '\x80'), &cell)) << "row too long";
  EXPECT_FALSE(ParseCellKey(with_byte(6, 0), &cell)) << "negative timestamp";
  EXPECT_FALSE(ParseCellKey(with_byte(14, ~3), &cell)) << "kind 3";
  EXPECT_FALSE(ParseCellKey(with_byte(14, ~14), &cell))
      << "family delete with a qualifier";
  EXPECT_FALSE(ParseCellKey(FirstKeyOfRow("row"), &cell)) << "seek key";
  const std::string long_qualifier(kMaxQualifierBytes + 1, 'q');
  EXPECT_FALSE(
      ParseCellKey(KeyOf(CellView{.qualifier = long_qualifier}), &cell));
}

TEST(CellKeyTest, KeysOfCellsAndSeekKeysAreComparable) {
  const std::string key = KeyOf(ParseCellText("row/:q@5#9 put").view());
  EXPECT_TRUE(IsComparableCellKey(key));
  EXPECT_EQ(CellKeyRow(key), "row");
  EXPECT_EQ(CellKeyQualifier(key), "q");
  EXPECT_TRUE(IsComparableCellKey(FirstKeyOfRow("")));
  EXPECT_TRUE(
      IsComparableCellKey(FirstKeyAfterRow(std::string(kMaxRowBytes, 'r'))));
  EXPECT_FALSE(IsComparableCellKey(key.substr(0, key.size() - 2)));
  EXPECT_FALSE(IsComparableCellKey(""));
}

TEST(CellTest, DebugStringEscapesBytes) {
  const Cell cell = ParseCellText("r\\x00/f:q@5#9 delcol");
  EXPECT_EQ(DebugString(cell.view()), "r\\x00/f:q@5#9 delete_column");
}

TEST(TimeRangeTest, EndIsExclusiveExceptAtTheLastTimestamp) {
  const TimeRange range{.min = 5, .max = 7};
  EXPECT_FALSE(range.Contains(4));
  EXPECT_TRUE(range.Contains(5));
  EXPECT_TRUE(range.Contains(6));
  EXPECT_FALSE(range.Contains(7));
  EXPECT_FALSE(range.all());
  EXPECT_TRUE(TimeRange().Contains(kMaxTimestamp));
  EXPECT_TRUE(TimeRange().all());
}

}  // namespace
}  // namespace shale
