#ifndef SHALE_WAL_RECOVERY_SINK_H_
#define SHALE_WAL_RECOVERY_SINK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_extent.h"

namespace shale {

// Takes what recovery finds, one record at a time in log order; the log's own
// markers are left out. All calls come from the thread that opens the log,
// before the opening returns, so it need not be thread-safe.
class RecoverySink {
 public:
  virtual ~RecoverySink() = default;
  // What part of the log there is, before its first record. An error ends
  // recovery with nothing changed on disk: what is needed is missing.
  virtual absl::Status Start(const LogExtent& extent) {
    static_cast<void>(extent);
    return absl::OkStatus();
  }
  // False if all cells of the record are in store files already, or its region
  // is no more: the record isn't replayed and pins nothing. `record.position`
  // is that in the generation being read.
  virtual bool Needs(const LogRecord& record) = 0;
  // A needed record; `record.position` is its position in the new generation.
  // The views are valid during the call. An error ends recovery.
  virtual absl::Status Replay(const LogRecord& record) = 0;
};

// What recovery did; for people and tests.
struct RecoveryReport {
  uint64_t epoch_read = 0;  // The generation replayed; 0: none.
  LogExtent extent;         // Of that generation.
  int64_t segments_read = 0;
  int64_t records_read = 0;
  int64_t records_replayed = 0;
  int64_t bytes_read = 0;
  // Bytes after the end of the log that no later record vouches for.
  int64_t torn_bytes = 0;
  // Segment files that are no part of the log: of other generations, begun and
  // given up, or not needed any more. Removed, unless only reading.
  std::vector<std::string> ignored_files;
};

}  // namespace shale

#endif  // SHALE_WAL_RECOVERY_SINK_H_
