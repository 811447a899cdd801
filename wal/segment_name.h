#ifndef SHALE_WAL_SEGMENT_NAME_H_
#define SHALE_WAL_SEGMENT_NAME_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Which segment of a log: the epoch of its owner, and a counter that begins at
// 1 in each epoch. Later segments of a log compare greater.
struct SegmentId {
  uint64_t epoch = 0;
  uint64_t counter = 0;

  friend auto operator<=>(SegmentId, SegmentId) = default;
};

// "DIRECTORY/EPOCH-COUNTER.wal", both as 16 hexadecimal digits: names sort as
// ids do. Without a directory it is the name alone.
std::string SegmentName(absl::string_view directory, SegmentId id);

// The id in the name of a segment of the log in `directory`; nothing for any
// other name, such as one of another log.
std::optional<SegmentId> ParseSegmentName(absl::string_view directory,
                                          absl::string_view name);

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_NAME_H_
