#ifndef SHALE_CELL_WRITE_NUMBER_H_
#define SHALE_CELL_WRITE_NUMBER_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <ostream>

#include "shale/base/cxx_standard.h"

namespace shale {

// The place of one operation in its region's single order of writes, minted by
// mvcc; never used twice. A reader at read point R sees numbers <= R. Zero
// means "none". A type of its own, so that it can't be mixed up with a
// LogPosition, which counts bytes of a log that many regions share.
struct WriteNumber {
  uint64_t value = 0;

  friend constexpr auto operator<=>(WriteNumber, WriteNumber) = default;
  friend constexpr WriteNumber operator+(WriteNumber n, uint64_t d) {
    return {n.value + d};
  }
};

inline constexpr WriteNumber kNoWriteNumber{0};
// As a read point: everything, also what isn't visible yet.
inline constexpr WriteNumber kMaxWriteNumber{
    std::numeric_limits<uint64_t>::max()};
// No number from here on is ever minted. Whatever is read from a disk and says
// otherwise is wrong, and to count on from it would end at 0 again.
inline constexpr WriteNumber kWriteNumberLimit{uint64_t{1} << 63};

inline std::ostream& operator<<(std::ostream& out, WriteNumber n) {
  return out << "#" << n.value;
}

// The numbers of one write: one per operation of its batch, in the batch's
// order, visible all at once. Both ends belong to it.
struct WriteRange {
  WriteNumber first;
  WriteNumber last;

  friend constexpr bool operator==(WriteRange, WriteRange) = default;
  int64_t count() const {
    return static_cast<int64_t>(last.value - first.value + 1);
  }
};

}  // namespace shale

#endif  // SHALE_CELL_WRITE_NUMBER_H_
