#ifndef SHALE_CELL_VECTOR_SCANNER_H_
#define SHALE_CELL_VECTOR_SCANNER_H_

#include <memory>
#include <vector>

#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"

namespace shale {

// Scans `cells`, which it owns. Never fails. REQUIRES: the cells are of one
// family and sorted by CompareCells.
std::unique_ptr<CellScanner> NewVectorScanner(std::vector<Cell> cells);

}  // namespace shale

#endif  // SHALE_CELL_VECTOR_SCANNER_H_
