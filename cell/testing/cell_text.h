// Cells written as text, for tests:
//
//   r/f:q@5#9 put v        row r, family f, qualifier q, timestamp 5, number 9
//   r/f:q@6#3 del          kinds: put, del, delcol, delfam, delfamver
//   r/f:@6#3 delfam        a family's markers have the empty qualifier
//   r/:q@5#9 put           no family, empty value
//
// Bytes are escaped as in base/escape.h, and `/ : @ # ,` and space in names
// and values too, as \xNN. Several cells are separated by ", ". Tags have no
// text. Bad text aborts: it is a mistake in the test.
#ifndef SHALE_CELL_TESTING_CELL_TEXT_H_
#define SHALE_CELL_TESTING_CELL_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/cell/cell.h"

namespace shale {

Cell ParseCellText(absl::string_view text);
std::vector<Cell> ParseCellsText(absl::string_view text);

std::string CellText(const CellView& cell);
std::string CellsText(absl::Span<const Cell> cells);

// The cells in the order in which a CellScanner gives them.
std::vector<Cell> Sorted(std::vector<Cell> cells);

}  // namespace shale

#endif  // SHALE_CELL_TESTING_CELL_TEXT_H_
