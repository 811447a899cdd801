#ifndef SHALE_WAL_WAL_VARIANTS_H_
#define SHALE_WAL_WAL_VARIANTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// One engine, under the name that --//wal:engine gives it, and its OpenWal.
struct WalVariant {
  const char* name;
  absl::StatusOr<std::unique_ptr<Wal>> (*open)(
      const WalOptions& options, const WalEnvironment& environment,
      absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
      RecoveryReport* report);
};

// All of them, for code that compares them in one process: tests, benchmarks,
// tools.
absl::Span<const WalVariant> WalVariants();

}  // namespace shale

#endif  // SHALE_WAL_WAL_VARIANTS_H_
