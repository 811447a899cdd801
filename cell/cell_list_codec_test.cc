#include "shale/cell/cell_list_codec.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/tags.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

using testing::HasSubstr;

std::string Encode(const std::vector<Cell>& cells, WriteNumber base) {
  std::vector<CellView> views;
  for (const Cell& cell : cells) views.push_back(cell.view());
  std::string bytes = "before";
  AppendCellList(views, base, &bytes);
  bytes.erase(0, 6);
  EXPECT_EQ(bytes.size(), CellListBytes(views, base));
  return bytes;
}

absl::StatusOr<std::vector<Cell>> Decode(absl::string_view bytes,
                                         WriteNumber base) {
  std::vector<Cell> cells;
  CellListReader reader(bytes, base);
  for (;;) {
    SHALE_ASSIGN_OR_RETURN(const CellView* cell, reader.Next());
    if (cell == nullptr) return cells;
    cells.emplace_back(*cell);
  }
}

std::vector<Cell> SampleCells() {
  std::vector<Cell> cells = ParseCellsText(
      "row1/f:q1@1700000000000000#100 put value, "
      "row1/f:q2@1700000000000000#100 put, "
      "row1/g:q@5#101 del, "
      "row2/g:q@5#102 delcol, "
      "row2/f:@7#103 delfam, "
      "row2/f:@0#103 delfamver, "
      "\\x00\\xff/f:q@9223372036854775807#356 put \\x00");
  AppendTag({.type = 8, .bytes = "ttl"}, &cells[1].tags);
  return cells;
}

TEST(CellListCodecTest, CellsComeBackWithTheirFamiliesNumbersAndTags) {
  const std::string bytes = Encode(SampleCells(), WriteNumber{100});
  EXPECT_THAT(Decode(bytes, WriteNumber{100}), IsOkAndHolds(SampleCells()));
}

TEST(CellListCodecTest, NumbersCountFromTheBaseGivenWhenDecoding) {
  const std::string bytes =
      Encode(ParseCellsText("r/f:q@1#0 put, r/f:q@1#2 put"), kNoWriteNumber);
  EXPECT_THAT(Decode(bytes, WriteNumber{40}),
              IsOkAndHolds(ParseCellsText("r/f:q@1#40 put, r/f:q@1#42 put")));
}

TEST(CellListCodecTest, AnEmptyListIsOneByte) {
  const std::string bytes = Encode({}, WriteNumber{7});
  EXPECT_EQ(bytes.size(), 1);
  EXPECT_THAT(Decode(bytes, WriteNumber{7}), IsOkAndHolds(testing::IsEmpty()));
}

TEST(CellListCodecTest, RandomCellsComeBack) {
  Random random(TestSeed());
  constexpr CellKind kKinds[] = {CellKind::kPut, CellKind::kDelete,
                                 CellKind::kDeleteColumn};
  for (int i = 0; i < 500; ++i) {
    std::vector<Cell> cells(random.Uniform(20));
    for (Cell& cell : cells) {
      cell.row = random.Bytes(random.Uniform(3));
      cell.family = random.Bytes(random.Uniform(2));
      cell.qualifier = random.Bytes(random.Uniform(200));
      cell.timestamp = static_cast<Timestamp>(random.Skewed(63));
      cell.kind = kKinds[random.Uniform(3)];
      cell.number = WriteNumber{1000 + random.Skewed(40)};
      cell.value = random.Bytes(random.Skewed(12));
      if (random.OneIn(3)) cell.tags = random.Bytes(1 + random.Uniform(9));
    }
    ASSERT_THAT(Decode(Encode(cells, WriteNumber{1000}), WriteNumber{1000}),
                IsOkAndHolds(cells));
  }
}

TEST(CellListCodecTest, OtherTimestampsAddAtMostNineBytesACell) {
  std::vector<Cell> cells(10, ParseCellText("r/f:q@0#1 put"));
  const size_t with_placeholders = Encode(cells, WriteNumber{1}).size();
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i].timestamp = kMaxTimestamp - static_cast<Timestamp>(i);
  }
  EXPECT_LE(Encode(cells, WriteNumber{1}).size(),
            with_placeholders + 9 * cells.size());
}

TEST(CellListCodecTest, EveryCutListIsDataLoss) {
  const std::string bytes = Encode(SampleCells(), WriteNumber{100});
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THAT(Decode(bytes.substr(0, length), WriteNumber{100}),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("offset")))
        << length;
  }
}

TEST(CellListCodecTest, BytesAfterTheLastCellAreDataLoss) {
  const std::string bytes = Encode(SampleCells(), WriteNumber{100});
  EXPECT_THAT(Decode(bytes + "x", WriteNumber{100}),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr(absl::StrCat("offset ", bytes.size(),
                                              ": bytes after the last"))));
}

TEST(CellListCodecTest, AnErrorStays) {
  CellListReader reader("", WriteNumber{1});
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kDataLoss));
}

struct BadListCase {
  const char* name;
  const char* hex;  // One cell: 01 head operation timestamp row family ...
  const char* message;
};
constexpr BadListCase kBadListCases[] = {
    {"UnknownKind", "0105000500017100", "kind 5"},
    {"SameRowAsNone", "011400050001660171", "before the first"},
    {"SameFamilyAsNone", "012400050001720171", "before the first"},
    {"SameTimestampAsNone", "014400017201660171", "before the first"},
    {"CountAboveTheBytes", "050400050172016601710", "count 5"},
    {"NegativeTimestamp", "010400ffffffffffffffffff01017201660000",
     "timestamp 18446744073709551615"},
    {"FamilyDeleteWithQualifier", "010e000501720166017100",
     "family delete with a qualifier"},
    {"NumberOverflow", "0104ffffffffffffffffff010501720166017100",
     "operation 18446744073709551615"},
};

class BadListTest : public testing::TestWithParam<BadListCase> {};

TEST_P(BadListTest, IsDataLossThatSaysWhatIsWrong) {
  EXPECT_THAT(
      Decode(absl::HexStringToBytes(GetParam().hex), WriteNumber{1}),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(Table, BadListTest, testing::ValuesIn(kBadListCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(CellListCodecTest, NamesAboveTheLimitsAreDataLoss) {
  Cell cell = ParseCellText("r/f:q@1#1 put");
  const auto decoded_with = [&cell](std::string Cell::*name, size_t bytes) {
    Cell changed = cell;
    changed.*name = std::string(bytes, 'x');
    return Decode(Encode({changed}, WriteNumber{1}), WriteNumber{1}).status();
  };
  EXPECT_OK(decoded_with(&Cell::row, kMaxRowBytes));
  EXPECT_OK(decoded_with(&Cell::family, kMaxFamilyBytes));
  EXPECT_OK(decoded_with(&Cell::qualifier, kMaxQualifierBytes));
  const auto is_refused = StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("row, family, qualifier"));
  EXPECT_THAT(decoded_with(&Cell::row, kMaxRowBytes + 1), is_refused);
  EXPECT_THAT(decoded_with(&Cell::family, kMaxFamilyBytes + 1), is_refused);
  EXPECT_THAT(decoded_with(&Cell::qualifier, kMaxQualifierBytes + 1),
              is_refused);
}

TEST(CellListCodecTest, GoldenListDecodesAndEncodesToItself) {
  std::ifstream file("cell/testdata/v1_sample.cells", std::ios::binary);
  const std::string golden((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  EXPECT_THAT(Decode(golden, WriteNumber{100}), IsOkAndHolds(SampleCells()));
  EXPECT_EQ(absl::BytesToHexString(Encode(SampleCells(), WriteNumber{100})),
            absl::BytesToHexString(golden));
}

}  // namespace
}  // namespace shale
