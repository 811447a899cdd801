#ifndef SHALE_WAL_OPEN_BLOCKING_WAL_H_
#define SHALE_WAL_OPEN_BLOCKING_WAL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// OpenWal (open_wal.h) with the engine `blocking`.
absl::StatusOr<std::unique_ptr<Wal>> OpenBlockingWal(
    const WalOptions& options, const WalEnvironment& environment,
    absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
    RecoveryReport* report);

}  // namespace shale

#endif  // SHALE_WAL_OPEN_BLOCKING_WAL_H_
