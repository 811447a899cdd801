#include "shale/wal/log_replay.h"

#include "shale/base/status_macros.h"

namespace shale {

absl::Status ReplayLog(
    const LogScan& scan, RecoverySink& sink,
    absl::FunctionRef<absl::StatusOr<LogPosition>(const LogRecord&)> carry_over,
    RecoveryReport& report) {
  report = {};
  report.epoch_read = scan.epoch();
  report.extent = scan.extent();
  report.segments_read = static_cast<int64_t>(scan.segments().size());
  for (const LogSegment& segment : scan.segments()) {
    report.bytes_read += static_cast<int64_t>(segment.end_offset);
  }
  report.torn_bytes = static_cast<int64_t>(scan.torn_bytes());
  report.ignored_files = scan.ignored_files();
  SHALE_RETURN_IF_ERROR(sink.Start(report.extent));
  return scan.ForEach(
      [&](const LogRecord& record, const RecordPlace&) -> absl::Status {
        if (IsLogMarker(record.entry.type)) return absl::OkStatus();
        ++report.records_read;
        if (!sink.Needs(record)) return absl::OkStatus();
        LogRecord replayed = record;
        SHALE_ASSIGN_OR_RETURN(replayed.position, carry_over(record));
        ++report.records_replayed;
        return sink.Replay(replayed);
      });
}

}  // namespace shale
