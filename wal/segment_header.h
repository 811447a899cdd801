// The header of a log segment: docs/formats/wal.md.
#ifndef SHALE_WAL_SEGMENT_HEADER_H_
#define SHALE_WAL_SEGMENT_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"
#include "shale/cell/log_position.h"
#include "shale/wal/segment_name.h"

namespace shale {

inline constexpr uint32_t kSegmentVersion = 1;
inline constexpr size_t kSegmentHeaderBytes = 104;

// What a segment says of itself and of the log before it.
struct SegmentHeader {
  SegmentId id;
  // Where its first record begins.
  LogPosition first;
  // Where its generation begins: all segments of one epoch, which hold
  // everything that recovery found needed of the generation before.
  LogPosition generation_start;
  // Nothing of the log below this is needed; older segments may be gone.
  LogPosition kept_from;
  // Just after the generation's `recovered` marker if that lies in an earlier
  // segment, else 0.
  LogPosition recovered_at;
  // The generation that this one was recovered from; 0: none.
  uint64_t source_epoch = 0;
  // The counter of the segment before it in this generation, and the length at
  // which that one ended, header included. Both 0: it is the first.
  uint64_t predecessor = 0;
  uint64_t predecessor_bytes = 0;
  // Wall clock, microseconds; for people.
  absl::Time created;

  friend bool operator==(const SegmentHeader&, const SegmentHeader&) = default;
};

std::string EncodeSegmentHeader(const SegmentHeader& header);

// Decodes the beginning of a segment.
//   FAILED_PRECONDITION  another version than kSegmentVersion
//   DATA_LOSS            too short, or not a header: with both checksums
absl::StatusOr<SegmentHeader> DecodeSegmentHeader(absl::string_view bytes);

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_HEADER_H_
