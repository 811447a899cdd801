#ifndef SHALE_CELL_CELL_KIND_H_
#define SHALE_CELL_CELL_KIND_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// What a cell says. The codes are on disk and are those of HBase's KeyValue
// types; among cells of one column and timestamp a larger code sorts first, so
// that a marker comes before what it masks.
enum class CellKind : uint8_t {
  kPut = 4,
  // Masks the puts of its column at exactly its timestamp.
  kDelete = 8,
  // Masks every column of its family at exactly its timestamp. Like
  // kDeleteFamily it is stored under the empty qualifier.
  kDeleteFamilyVersion = 10,
  // Masks all versions of its column up to and including its timestamp.
  kDeleteColumn = 12,
  // Masks all columns of its family up to and including its timestamp.
  kDeleteFamily = 14,
};

// Sorts before every real cell of the same column and timestamp.
inline constexpr CellKind kFirstCellKind = static_cast<CellKind>(255);

constexpr bool IsDelete(CellKind kind) { return kind != CellKind::kPut; }
constexpr bool IsFamilyDelete(CellKind kind) {
  return kind == CellKind::kDeleteFamily ||
         kind == CellKind::kDeleteFamilyVersion;
}
// False for any byte that is no kind, as read from a damaged file.
constexpr bool IsCellKind(uint8_t code) {
  return code == 4 || code == 8 || code == 10 || code == 12 || code == 14;
}

// "put", "delete", "delete_family_version", "delete_column", "delete_family".
absl::string_view CellKindName(CellKind kind);

}  // namespace shale

#endif  // SHALE_CELL_CELL_KIND_H_
