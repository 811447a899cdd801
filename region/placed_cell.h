#ifndef SHALE_REGION_PLACED_CELL_H_
#define SHALE_REGION_PLACED_CELL_H_

#include <cstddef>

#include "shale/cell/cell.h"

namespace shale {

// A cell and the id of its family.
struct PlacedCell {
  size_t family = 0;
  CellView cell;
  // Whether it gets its commit's timestamp, unless its own is larger.
  bool takes_commit_timestamp = false;
};

}  // namespace shale

#endif  // SHALE_REGION_PLACED_CELL_H_
