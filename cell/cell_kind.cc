#include "shale/cell/cell_kind.h"

namespace shale {

absl::string_view CellKindName(CellKind kind) {
  switch (kind) {
    case CellKind::kPut:
      return "put";
    case CellKind::kDelete:
      return "delete";
    case CellKind::kDeleteFamilyVersion:
      return "delete_family_version";
    case CellKind::kDeleteColumn:
      return "delete_column";
    case CellKind::kDeleteFamily:
      return "delete_family";
  }
  return "unknown_kind";
}

}  // namespace shale
