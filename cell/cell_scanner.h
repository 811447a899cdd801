#ifndef SHALE_CELL_CELL_SCANNER_H_
#define SHALE_CELL_CELL_SCANNER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"

namespace shale {

// A stream of the cells of one family in key order: the seam between what holds
// cells (memstores, store files, merges of them) and what reads them.
//
// An error is a returned status and can't be mistaken for the end: after one,
// cell() is null and every later call returns the same error.
//
// Not thread-safe. What it reads from outlives it or is owned by it.
class CellScanner {
 public:
  virtual ~CellScanner() = default;

  // Moves to the first cell whose encoded key is >= `key` (cell_key.h), forward
  // or back. The empty key means the beginning.
  [[nodiscard]] virtual absl::Status Seek(absl::string_view key) = 0;

  // Moves to the next cell. REQUIRES: cell() != nullptr.
  [[nodiscard]] virtual absl::Status Next() = 0;

  // The current cell, or null before the first Seek, at the end and after an
  // error. The view and its bytes stay valid until the next call.
  virtual const CellView* cell() const = 0;

  // The encoded key of the current cell. REQUIRES: cell() != nullptr.
  virtual absl::string_view key() const = 0;
};

}  // namespace shale

#endif  // SHALE_CELL_CELL_SCANNER_H_
