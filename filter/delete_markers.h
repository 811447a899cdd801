#ifndef SHALE_FILTER_DELETE_MARKERS_H_
#define SHALE_FILTER_DELETE_MARKERS_H_

#include <vector>

#include "absl/container/inlined_vector.h"
#include "shale/cell/cell.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"

namespace shale {

// The delete markers that may mask the next puts of a row, collected in key
// order. Of the markers of a column it remembers one number and those of the
// current timestamp, of the row's family markers those that others do not make
// redundant. Not thread-safe.
class DeleteMarkers {
 public:
  void StartRow();
  void StartColumn();

  // REQUIRES: a marker of the current row and, unless a family marker, column;
  // in key order.
  void Add(const CellView& marker);

  // The largest number of a marker that masks everything up to some timestamp
  // >= `timestamp` in the current column; kNoWriteNumber if there is none.
  // REQUIRES (as below): nothing later in key order has been added.
  WriteNumber LastUpTo(Timestamp timestamp) const;
  // The same of the row's family markers alone.
  WriteNumber LastOfFamilyUpTo(Timestamp timestamp) const;

  // The smallest number >= `number` of a marker that masks exactly `timestamp`
  // in the current column; kMaxWriteNumber if there is none.
  WriteNumber FirstAt(Timestamp timestamp, WriteNumber number) const;

 private:
  struct Marker {
    Timestamp timestamp;
    WriteNumber number;
  };

  // kDeleteFamily: timestamps fall, numbers rise (the others are redundant).
  std::vector<Marker> family_;
  // kDeleteFamilyVersion: in key order.
  std::vector<Marker> family_versions_;
  // kDeleteColumn: the largest number; all have timestamps >= the current.
  WriteNumber column_;
  // kDelete: the numbers, falling, of those at versions_timestamp_.
  Timestamp versions_timestamp_ = 0;
  absl::InlinedVector<WriteNumber, 4> versions_;
};

}  // namespace shale

#endif  // SHALE_FILTER_DELETE_MARKERS_H_
