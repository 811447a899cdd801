#ifndef SHALE_WAL_LOG_REPLAY_H_
#define SHALE_WAL_LOG_REPLAY_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/cell/log_position.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/recovery_sink.h"

namespace shale {

// Gives `sink` the records of `scan` that it needs. `carry_over` runs before
// each and gives the position under which it is replayed. Fills in `report`.
absl::Status ReplayLog(
    const LogScan& scan, RecoverySink& sink,
    absl::FunctionRef<absl::StatusOr<LogPosition>(const LogRecord&)> carry_over,
    RecoveryReport& report);

}  // namespace shale

#endif  // SHALE_WAL_LOG_REPLAY_H_
