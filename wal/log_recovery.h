// Opening a log, for any engine.
#ifndef SHALE_WAL_LOG_RECOVERY_H_
#define SHALE_WAL_LOG_RECOVERY_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/log_engine.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// A generation begins this far behind the end of the one before. Positions were
// given out that never reached a file, at most WalOptions::buffer_bytes and a
// record behind what was durable; none of them is given out again.
inline constexpr uint64_t kGenerationGap = uint64_t{1} << 31;

// OpenWal with an engine made by `new_engine`.
//
//   1. Seal every segment, so that no former owner can add to it.
//   2. Read and check all of the newest complete generation, before anything is
//      written.
//   3. Open a new log and append to it what is needed, as any user would, so
//      that nothing rests on what only the page cache may hold.
//   4. Append the `recovered` marker, then a record that vouches for it, each
//      synced.
//   5. Remove all older files.
absl::StatusOr<std::unique_ptr<Wal>> RecoverLog(
    const WalOptions& options, const WalEnvironment& environment,
    absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
    RecoveryReport* report, const LogEngineFactory& new_engine);

}  // namespace shale

#endif  // SHALE_WAL_LOG_RECOVERY_H_
