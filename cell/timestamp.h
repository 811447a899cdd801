#ifndef SHALE_CELL_TIMESTAMP_H_
#define SHALE_CELL_TIMESTAMP_H_

#include <cstdint>
#include <limits>

#include "shale/base/cxx_standard.h"

namespace shale {

// A cell's version: microseconds since the Unix epoch. Any value from 0 to
// kMaxTimestamp may be given explicitly; a negative one is refused at the API.
using Timestamp = int64_t;

inline constexpr Timestamp kMinTimestamp = 0;
// Also the placeholder "latest": a write that carries it gets the commit
// timestamp from the sequencer.
inline constexpr Timestamp kMaxTimestamp = std::numeric_limits<int64_t>::max();
inline constexpr Timestamp kLatestTimestamp = kMaxTimestamp;

// Half open: holds `min <= t < max`. The default holds every timestamp, also
// kMaxTimestamp itself.
struct TimeRange {
  Timestamp min = kMinTimestamp;
  Timestamp max = kMaxTimestamp;

  bool Contains(Timestamp t) const {
    return t >= min && (t < max || max == kMaxTimestamp);
  }
  bool all() const { return min == kMinTimestamp && max == kMaxTimestamp; }
};

}  // namespace shale

#endif  // SHALE_CELL_TIMESTAMP_H_
