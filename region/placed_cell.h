#ifndef SHALE_REGION_PLACED_CELL_H_
#define SHALE_REGION_PLACED_CELL_H_

#include <cstddef>

#include "shale/cell/cell.h"

namespace shale {

// A cell and the id of its family.
struct PlacedCell {
  size_t family = 0;
  CellView cell;
};

}  // namespace shale

#endif  // SHALE_REGION_PLACED_CELL_H_
