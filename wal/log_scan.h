// What a log's directory holds: the one way to read a log, for recovery and for
// inspection. Never writes.
#ifndef SHALE_WAL_LOG_SCAN_H_
#define SHALE_WAL_LOG_SCAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"
#include "shale/wal/generation.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_extent.h"

namespace shale {

// Where a record lies.
struct RecordPlace {
  absl::string_view segment;  // The file's name.
  uint64_t offset = 0;
};

// A log that was found sound, with its files open. Not thread-safe. The file
// system must outlive it.
class LogScan {
 public:
  using Visitor =
      absl::FunctionRef<absl::Status(const LogRecord&, const RecordPlace&)>;

  // Picks the newest complete generation in `directory` and reads it all. A
  // directory without one is an empty log. DATA_LOSS names file and offset
  // where the log lies; FAILED_PRECONDITION a segment of another version.
  static absl::StatusOr<LogScan> Open(FileSystem& file_system,
                                      absl::string_view directory);

  // Calls `visit` with every record, the log's own markers too, in log order.
  // Views in it are valid during the call. Ends with the first error.
  absl::Status ForEach(Visitor visit) const;

  // 0: no generation.
  uint64_t epoch() const { return generation_.epoch; }
  // Oldest first.
  const std::vector<LogSegment>& segments() const {
    return generation_.segments;
  }
  LogExtent extent() const;
  uint64_t torn_bytes() const { return generation_.torn_bytes; }
  // Segment files that are no part of the log: of other generations, begun and
  // given up, or trimmed.
  const std::vector<std::string>& ignored_files() const {
    return ignored_files_;
  }

 private:
  LogScan() = default;

  Generation generation_;
  std::vector<std::string> ignored_files_;
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_SCAN_H_
