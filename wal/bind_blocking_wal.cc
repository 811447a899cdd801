#include "shale/wal/open_blocking_wal.h"
#include "shale/wal/open_wal.h"

namespace shale {

absl::StatusOr<std::unique_ptr<Wal>> OpenWal(const WalOptions& options,
                                             const WalEnvironment& environment,
                                             absl::string_view directory,
                                             const OwnerToken& token,
                                             RecoverySink& sink,
                                             RecoveryReport* report) {
  return OpenBlockingWal(options, environment, directory, token, sink, report);
}

}  // namespace shale
