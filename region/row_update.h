// What an edit or a check makes of the cell that is there. Pure.
#ifndef SHALE_REGION_ROW_UPDATE_H_
#define SHALE_REGION_ROW_UPDATE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "shale/cell/cell.h"
#include "shale/cell/timestamp.h"
#include "shale/region/row_check.h"
#include "shale/region/row_mutation.h"

namespace shale {

// The parts of a new cell that depend on the old one.
struct UpdatedCell {
  Timestamp timestamp = 0;
  std::string value;
  std::string tags;
};

// What `edit`, an increment or append, makes of `old`; nothing if it changes
// nothing. The old cell's timestamp is exceeded, unless it is of the same
// commit: then its smaller number is enough. INVALID_ARGUMENT if a counter
// isn't 8 bytes long, DATA_LOSS if the old cell's tags are none.
absl::StatusOr<std::optional<UpdatedCell>> UpdateCell(
    const Edit& edit, const std::optional<Cell>& old, bool same_commit,
    Timestamp commit_timestamp);

// Whether `stored` is as `condition` wants it.
bool Holds(const ColumnCondition& condition, const std::optional<Cell>& stored);

}  // namespace shale

#endif  // SHALE_REGION_ROW_UPDATE_H_
