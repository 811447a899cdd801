#ifndef SHALE_WAL_LOG_ENTRY_H_
#define SHALE_WAL_LOG_ENTRY_H_

#include <cstdint>
#include <utility>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"
#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"

namespace shale {

// What a record is. The codes are on disk. A region's markers take write
// numbers of their own but hold no cells; the log's own markers (IsLogMarker)
// belong to no region, have no numbers and are written by the log alone.
enum class LogEntryType : uint8_t {
  kCells = 1,  // Payload: a cell list (cell/cell_list_codec.h).
  kFlushStart = 2,
  kFlushCommit = 3,
  kFlushAbort = 4,
  kCompaction = 5,
  kRegionOpen = 6,
  kRegionClose = 7,
  kBulkLoad = 8,
  // Everything replayed from the generation before is durable in this one.
  kRecovered = 32,
  // Only there to carry durable_to, as at a clean close.
  kCovering = 33,
  // Payload: a position (u64). Nobody needs anything of the log below it.
  kTrimmed = 34,
};

constexpr bool IsLogMarker(LogEntryType type) {
  return static_cast<uint8_t>(type) >= 32;
}
// False for any byte that is no type, as read from a damaged file.
constexpr bool IsLogEntryType(uint8_t code) {
  return (code >= 1 && code <= 8) || (code >= 32 && code <= 34);
}
// "cells", "flush_start", ..., "recovered", "covering", "trimmed".
absl::string_view LogEntryTypeName(LogEntryType type);

// Identifies an operation that a client may send again; none if `nonce` is 0.
struct Nonce {
  uint64_t group = 0;
  uint64_t nonce = 0;

  friend bool operator==(Nonce, Nonce) = default;
  template <typename H>
  friend H AbslHashValue(H state, Nonce n) {
    return H::combine(std::move(state), n.group, n.nonce);
  }
};

// One entry of the log: all cells of one atomic write, or a marker. The payload
// is somebody else's bytes.
struct LogEntry {
  LogEntryType type = LogEntryType::kCells;
  Uuid region;  // The region's incarnation.
  WriteRange range;
  Timestamp commit_timestamp = 0;
  Nonce nonce;
  // Which of the region's families have cells in it: bit i for the family with
  // id i < 63, bit 63 for all others. Kept in memory for flush accounting and
  // on disk so that replay can skip a record without decoding it.
  uint64_t families = 0;
  absl::string_view payload;
};

// An entry as read back.
struct LogRecord {
  LogEntry entry;
  // Just after the record; see LogPosition.
  LogPosition position;
  // The log was known to be durable up to here when the record was written.
  LogPosition durable_to;
  uint64_t epoch = 0;
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_ENTRY_H_
