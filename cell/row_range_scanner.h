#ifndef SHALE_CELL_ROW_RANGE_SCANNER_H_
#define SHALE_CELL_ROW_RANGE_SCANNER_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "shale/cell/cell_scanner.h"

namespace shale {

// The cells of `scanner` whose rows are from `low` to before `high`; empty is
// open. REQUIRES: neither is longer than kMaxRowBytes.
std::unique_ptr<CellScanner> NewRowRangeScanner(
    std::unique_ptr<CellScanner> scanner, absl::string_view low,
    absl::string_view high);

}  // namespace shale

#endif  // SHALE_CELL_ROW_RANGE_SCANNER_H_
