#include "shale/cell/testing/cell_text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

TEST(CellTextTest, ReadsEveryPartOfACell) {
  const Cell cell = ParseCellText("r/f:q@5#9 put v");
  EXPECT_EQ(cell.row, "r");
  EXPECT_EQ(cell.family, "f");
  EXPECT_EQ(cell.qualifier, "q");
  EXPECT_EQ(cell.timestamp, 5);
  EXPECT_EQ(cell.number, WriteNumber{9});
  EXPECT_EQ(cell.kind, CellKind::kPut);
  EXPECT_EQ(cell.value, "v");
}

TEST(CellTextTest, PrintsWhatItReads) {
  const std::string text =
      "r/f:q@5#9 put v, /:@0#0 put, r/f:q@6#3 del, r/f:q@6#3 delcol, "
      "r/f:@6#3 delfam, r/f:@6#3 delfamver";
  EXPECT_EQ(CellsText(ParseCellsText(text)), text);
}

TEST(CellTextTest, SeparatorsInNamesAndValuesAreEscaped) {
  Cell cell;
  cell.row = "/:@#, \n\\";
  cell.family = cell.qualifier = cell.value = cell.row;
  EXPECT_EQ(ParseCellText(CellText(cell.view())), cell);
}

TEST(CellTextTest, SortedIsTheOrderOfAScan) {
  EXPECT_EQ(CellsText(Sorted(ParseCellsText(
                "r/f:q@1#1 put, r/f:q@1#1 del, q/g:q@1#1 put, r/e:q@1#1 put"))),
            "q/g:q@1#1 put, r/e:q@1#1 put, r/f:q@1#1 del, r/f:q@1#1 put");
}

}  // namespace
}  // namespace shale
