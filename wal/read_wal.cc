#include "shale/wal/read_wal.h"

#include "shale/base/status_macros.h"
#include "shale/wal/log_replay.h"
#include "shale/wal/log_scan.h"

namespace shale {

absl::Status ReadWal(FileSystem& files, absl::string_view directory,
                     RecoverySink& sink, RecoveryReport* report) {
  RecoveryReport unread;
  SHALE_ASSIGN_OR_RETURN(const LogScan scan, LogScan::Open(files, directory));
  return ReplayLog(
      scan, sink, [](const LogRecord& record) { return record.position; },
      report != nullptr ? *report : unread);
}

}  // namespace shale
