#ifndef SHALE_CELL_CELL_H_
#define SHALE_CELL_CELL_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"

namespace shale {

// Limits that the formats rest on; the API refuses what exceeds them.
inline constexpr size_t kMaxRowBytes = 32767;
inline constexpr size_t kMaxFamilyBytes = 127;
inline constexpr size_t kMaxQualifierBytes = 32767;

// One cell, somebody else's bytes. Valid as long as what it was taken from
// says: for a CellScanner, until its next call.
//
// `family` is filled in by whoever knows it: memstores and store files hold one
// family each and do not store its name with every cell.
struct CellView {
  absl::string_view row = {};
  absl::string_view family = {};
  absl::string_view qualifier = {};
  Timestamp timestamp = 0;
  CellKind kind = CellKind::kPut;
  WriteNumber number = {};
  absl::string_view value = {};
  // Encoded tags (tags.h); empty for most cells.
  absl::string_view tags = {};
};

// One cell that owns its bytes.
struct Cell {
  std::string row;
  std::string family;
  std::string qualifier;
  Timestamp timestamp = 0;
  CellKind kind = CellKind::kPut;
  WriteNumber number;
  std::string value;
  std::string tags;

  Cell() = default;
  explicit Cell(const CellView& view);
  CellView view() const;
  friend bool operator==(const Cell&, const Cell&) = default;
};

// "row/family:qualifier@5#9 put value", bytes escaped; for messages and tests.
std::string DebugString(const CellView& cell);

}  // namespace shale

#endif  // SHALE_CELL_CELL_H_
