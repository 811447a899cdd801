#ifndef SHALE_CELL_CELL_KEY_H_
#define SHALE_CELL_CELL_KEY_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"

namespace shale {

// A cell's place within one family, in the encoding that memstores and store
// files share:
//
//   key := row_length:u16be row qualifier timestamp:u64be-inverted
//          kind:u8-inverted number:u64be-inverted
//
// Order within a family: row ascending, qualifier ascending, timestamp
// descending, kind code descending, write number descending; bytes compare
// unsigned. So the newest comes first, and a marker before what it masks.
inline constexpr size_t kCellKeySuffixBytes = 8 + 1 + 8;

// Appends the encoded key of `cell`. REQUIRES: row <= kMaxRowBytes + 1, the
// longest row that a seek key has.
void AppendCellKey(const CellView& cell, std::string* out);
size_t CellKeyBytes(const CellView& cell);
// Writes CellKeyBytes(cell) bytes to `out`.
void EncodeCellKey(const CellView& cell, char* out);

// Splits an encoded key into row, qualifier, timestamp, kind and number of
// `out`; the views point into `key`. False if `key` can't be that of a cell:
// too short, a name above its limit, a negative timestamp, an unknown kind (as
// a seek key has), a family delete with a qualifier. `out` is then unspecified.
bool ParseCellKey(absl::string_view key, CellView* out);

// The row and the qualifier of an encoded key. REQUIRES: IsComparableCellKey.
absl::string_view CellKeyRow(absl::string_view key);
absl::string_view CellKeyQualifier(absl::string_view key);

// Whether CompareCellKeys and CellKeyRow may be given `key`: true for what
// parses and for seek keys; false if the row does not end before the suffix.
bool IsComparableCellKey(absl::string_view key);

// Negative, zero or positive as encoded `a` sorts before, with or after `b`.
// REQUIRES: IsComparableCellKey of both.
int CompareCellKeys(absl::string_view a, absl::string_view b);

// The same order on views, whatever their families.
int CompareCells(const CellView& a, const CellView& b);

// Keys to seek to; no cell has them. The first possible key of a row, of a
// column, of the versions of a column that are not after `newest`, and the
// first after all cells of a column or of a row.
std::string FirstKeyOfRow(absl::string_view row);
std::string FirstKeyOfColumn(absl::string_view row,
                             absl::string_view qualifier);
std::string FirstKeyOfVersion(absl::string_view row,
                              absl::string_view qualifier, Timestamp newest);
std::string FirstKeyAfterColumn(absl::string_view row,
                                absl::string_view qualifier);
std::string FirstKeyAfterRow(absl::string_view row);

}  // namespace shale

#endif  // SHALE_CELL_CELL_KEY_H_
