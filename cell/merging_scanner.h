#ifndef SHALE_CELL_MERGING_SCANNER_H_
#define SHALE_CELL_MERGING_SCANNER_H_

#include <memory>
#include <vector>

#include "shale/cell/cell_scanner.h"

namespace shale {

// Merges scanners of one family into one key order. Of cells with equal keys
// (same number, as a replayed or bulk-loaded cell may have) the one from the
// scanner earlier in `scanners` comes first; put newer sources first.
std::unique_ptr<CellScanner> NewMergingScanner(
    std::vector<std::unique_ptr<CellScanner>> scanners);

}  // namespace shale

#endif  // SHALE_CELL_MERGING_SCANNER_H_
