#ifndef SHALE_WAL_OPEN_WAL_H_
#define SHALE_WAL_OPEN_WAL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// Opens the log in `directory` (owned by `token`, whose epoch becomes the new
// generation): reads the newest complete generation, appends what `sink` needs
// to a new one, makes that durable together with a `recovered` marker, and only
// then removes the old files. A crash at any moment leaves one complete
// generation. `report` may be null.
//   INVALID_ARGUMENT     an option out of its range
//   DATA_LOSS            the log lies: bad bytes below a sealed length or the
//                        durable_to of a later record, a missing or cut
//                        segment; names file and offset, and nothing is changed
//                        on disk
//   FAILED_PRECONDITION  a segment of another version (nothing is changed), or
//                        an epoch that the log has seen, as a token opens a log
//                        once
//   and errors of the file system and of `sink`.
// The engine is the one bound by --//wal:engine.
absl::StatusOr<std::unique_ptr<Wal>> OpenWal(const WalOptions& options,
                                             const WalEnvironment& environment,
                                             absl::string_view directory,
                                             const OwnerToken& token,
                                             RecoverySink& sink,
                                             RecoveryReport* report);

}  // namespace shale

#endif  // SHALE_WAL_OPEN_WAL_H_
