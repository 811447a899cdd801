#ifndef SHALE_CELL_LOG_POSITION_H_
#define SHALE_CELL_LOG_POSITION_H_

#include <compare>
#include <cstdint>
#include <ostream>

#include "shale/base/cxx_standard.h"

namespace shale {

// Bytes accepted by a log since it began; logical, so an entry that is appended
// again to a new segment keeps its position. As the result of an append it is
// the position just after the entry: "durable up to P" covers exactly the
// entries whose position is <= P. Zero is before the first entry.
struct LogPosition {
  uint64_t value = 0;

  friend constexpr auto operator<=>(LogPosition, LogPosition) = default;
};

inline constexpr LogPosition kLogStart{0};

inline std::ostream& operator<<(std::ostream& out, LogPosition p) {
  return out << "@" << p.value;
}

}  // namespace shale

#endif  // SHALE_CELL_LOG_POSITION_H_
