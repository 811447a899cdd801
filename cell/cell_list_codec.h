// A list of cells of any rows and families as bytes: the body of a log record.
// docs/formats/cell.md describes it.
//
// A cell is stored with its operation's place in the batch instead of its write
// number, so that a list can be encoded before its numbers are minted: encode
// it with numbers counted from any `base`, decode it with the record's first.
// Row, family and timestamp are left out where they are those of the cell
// before.
#ifndef SHALE_CELL_CELL_LIST_CODEC_H_
#define SHALE_CELL_CELL_LIST_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/coding.h"
#include "shale/cell/cell.h"
#include "shale/cell/write_number.h"

namespace shale {

// Appends the encoded `cells` to `*out`. REQUIRES: each cell's names are within
// the limits of cell.h, its timestamp is not negative and its number >= base.
void AppendCellList(absl::Span<const CellView> cells, WriteNumber base,
                    std::string* out);

// How many bytes AppendCellList appends. If the cells get other timestamps
// afterwards, at most 9 more for each cell.
size_t CellListBytes(absl::Span<const CellView> cells, WriteNumber base);

// Decodes one list, cell by cell, without copying:
//
//   CellListReader reader(bytes, first_number);
//   for (;;) {
//     SHALE_ASSIGN_OR_RETURN(const CellView* cell, reader.Next());
//     if (cell == nullptr) break;
//     ...
//   }
//
// Not thread-safe. The cells point into `bytes`, which must outlive them.
class CellListReader {
 public:
  // `bytes` is the whole list and nothing else. The cells' numbers count from
  // `base`.
  CellListReader(absl::string_view bytes, WriteNumber base)
      : in_(bytes), base_(base) {}

  // The next cell, valid until the next call; null at the end. DATA_LOSS,
  // naming the offset within `bytes`, if these are no list: cut off, with bytes
  // left over, or with a cell that can't be one. An error stays.
  absl::StatusOr<const CellView*> Next();

  // How many cells the list says it has. Zero before the first Next.
  uint64_t count() const { return count_; }

 private:
  absl::Status ReadCount();
  absl::Status ReadCell();
  absl::Status Fail(absl::string_view what);

  Decoder in_;
  const WriteNumber base_;
  bool started_ = false;
  uint64_t count_ = 0;
  uint64_t read_ = 0;  // Cells, of count_.
  CellView cell_;      // The last one read.
  absl::Status status_;
};

}  // namespace shale

#endif  // SHALE_CELL_CELL_LIST_CODEC_H_
