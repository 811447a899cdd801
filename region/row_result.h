#ifndef SHALE_REGION_ROW_RESULT_H_
#define SHALE_REGION_ROW_RESULT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"

namespace shale {

// Cells of one row: families by name, then qualifiers ascending, newest version
// first.
struct RowResult {
  std::string row;
  std::vector<Cell> cells;
  // More cells of the same row follow in the next result.
  bool partial = false;

  bool empty() const { return cells.empty(); }
  // The newest value of a column, if the row has it. Valid as long as this.
  std::optional<absl::string_view> Value(absl::string_view family,
                                         absl::string_view qualifier) const {
    for (const Cell& cell : cells) {
      if (cell.family == family && cell.qualifier == qualifier) {
        return cell.value;
      }
    }
    return std::nullopt;
  }
};

}  // namespace shale

#endif  // SHALE_REGION_ROW_RESULT_H_
