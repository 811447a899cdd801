#ifndef SHALE_LOCKING_WALL_TIMESTAMP_H_
#define SHALE_LOCKING_WALL_TIMESTAMP_H_

#include <algorithm>

#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/timestamp.h"

namespace shale {

// The wall clock as a timestamp. A clock before 1970 has none: then the least.
inline Timestamp WallTimestamp(Clock& clock) {
  return std::max(kMinTimestamp, absl::ToUnixMicros(clock.Now()));
}

// How far a timestamp lies ahead of the wall clock now; zero if it is behind.
inline absl::Duration AheadOfWall(Timestamp timestamp, Clock& clock) {
  return absl::Microseconds(
      std::max<int64_t>(0, timestamp - WallTimestamp(clock)));
}

}  // namespace shale

#endif  // SHALE_LOCKING_WALL_TIMESTAMP_H_
