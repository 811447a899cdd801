#ifndef SHALE_CELL_WALL_TIMESTAMP_H_
#define SHALE_CELL_WALL_TIMESTAMP_H_

#include <algorithm>

#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/timestamp.h"

namespace shale {

// The end of the year 9999. What a broken clock reads above it would leave no
// room for the timestamps that must follow, and is kMaxTimestamp at worst.
inline constexpr Timestamp kMaxWallTimestamp = 253402300799999999;

// A reading of the wall clock as a timestamp. A clock before 1970, or after the
// year 9999, has none: then the nearest.
inline Timestamp WallTimestamp(absl::Time wall) {
  return std::clamp(absl::ToUnixMicros(wall), kMinTimestamp, kMaxWallTimestamp);
}
inline Timestamp WallTimestamp(Clock& clock) {
  return WallTimestamp(clock.Now());
}

// The least timestamp above this one; of the largest that a commit can have,
// itself.
inline Timestamp TimestampAfter(Timestamp timestamp) {
  return std::min(timestamp, kMaxTimestamp - 2) + 1;
}

// How far a timestamp lies ahead of the wall clock now; zero if it is behind.
inline absl::Duration AheadOfWall(Timestamp timestamp, Clock& clock) {
  return absl::Microseconds(
      std::max<int64_t>(0, timestamp - WallTimestamp(clock)));
}

}  // namespace shale

#endif  // SHALE_CELL_WALL_TIMESTAMP_H_
