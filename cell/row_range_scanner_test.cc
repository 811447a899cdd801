#include "shale/cell/row_range_scanner.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_scanner.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/vector_scanner.h"

namespace shale {
namespace {

std::unique_ptr<CellScanner> Range(absl::string_view low,
                                   absl::string_view high) {
  return NewRowRangeScanner(
      NewVectorScanner(ParseCellsText("a/:q@1#1 put, b/:q@1#1 put, "
                                      "bb/:q@1#1 put, c/:q@1#1 put")),
      low, high);
}

// The rows from `key` to the end, each with a space after it.
std::string RowsFrom(CellScanner& scanner, absl::string_view key) {
  EXPECT_OK(scanner.Seek(key));
  std::string rows;
  while (scanner.cell() != nullptr) {
    rows += scanner.cell()->row;
    rows += ' ';
    EXPECT_EQ(CellKeyRow(scanner.key()), scanner.cell()->row);
    EXPECT_OK(scanner.Next());
  }
  return rows;
}

TEST(RowRangeScannerTest, RowsFromLowToBeforeHighCount) {
  EXPECT_EQ(RowsFrom(*Range("", ""), ""), "a b bb c ");
  EXPECT_EQ(RowsFrom(*Range("b", ""), ""), "b bb c ");
  EXPECT_EQ(RowsFrom(*Range("", "bb"), ""), "a b ");
  EXPECT_EQ(RowsFrom(*Range("b", "c"), ""), "b bb ");
  EXPECT_EQ(RowsFrom(*Range("aa", "b"), ""), "");
  EXPECT_EQ(RowsFrom(*Range("c", "a"), ""), "");
}

TEST(RowRangeScannerTest, ASeekToOutsideStaysInside) {
  const auto scanner = Range("b", "c");
  EXPECT_EQ(scanner->cell(), nullptr);
  EXPECT_EQ(RowsFrom(*scanner, FirstKeyOfRow("c")), "");
  EXPECT_EQ(RowsFrom(*scanner, FirstKeyOfRow("a")), "b bb ");
  EXPECT_EQ(RowsFrom(*scanner, FirstKeyAfterRow("b")), "bb ");
  EXPECT_EQ(RowsFrom(*scanner, FirstKeyAfterRow("c")), "");
}

// Fails its first Seek.
class BrokenScanner final : public CellScanner {
 public:
  absl::Status Seek(absl::string_view) override { return Next(); }
  absl::Status Next() override { return absl::DataLossError("block 7"); }
  const CellView* cell() const override { return nullptr; }
  absl::string_view key() const override { return ""; }
};

TEST(RowRangeScannerTest, AnErrorIsNoEnd) {
  const auto scanner =
      NewRowRangeScanner(std::make_unique<BrokenScanner>(), "b", "c");
  EXPECT_THAT(scanner->Seek(""),
              StatusIs(absl::StatusCode::kDataLoss, "block 7"));
  EXPECT_EQ(scanner->cell(), nullptr);
}

}  // namespace
}  // namespace shale
