#include "shale/wal/open_blocking_wal.h"

#include "shale/wal/blocking_engine.h"
#include "shale/wal/log_recovery.h"

namespace shale {

absl::StatusOr<std::unique_ptr<Wal>> OpenBlockingWal(
    const WalOptions& options, const WalEnvironment& environment,
    absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
    RecoveryReport* report) {
  return RecoverLog(
      options, environment, directory, token, sink, report,
      [](LogState& log) { return std::make_unique<BlockingEngine>(log); });
}

}  // namespace shale
