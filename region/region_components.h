#ifndef SHALE_REGION_REGION_COMPONENTS_H_
#define SHALE_REGION_REGION_COMPONENTS_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/owner_token.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/increment_protocol.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// What a region is composed of, one factory for each seam with variants. The
// default is what the build flags bind (--//mvcc:completion and so on); tools
// and tests put other variants in, several in one process.
struct RegionComponents {
  std::function<std::unique_ptr<Mvcc>(const MvccOptions&, Clock&)> mvcc;
  std::function<std::unique_ptr<RowCommitSequencer>(Clock&, Executor&)>
      commit_sequencer;
  std::function<std::unique_ptr<IncrementProtocol>()> increment;
  std::function<std::unique_ptr<BlockCache>(const BlockCacheOptions&)> cache;
  // As OpenWal in shale/wal/open_wal.h.
  std::function<absl::StatusOr<std::unique_ptr<Wal>>(
      const WalOptions&, const WalEnvironment&, absl::string_view directory,
      const OwnerToken&, RecoverySink&, RecoveryReport*)>
      open_wal;
};

// The variants that this build's flags bind.
RegionComponents DefaultRegionComponents();

}  // namespace shale

#endif  // SHALE_REGION_REGION_COMPONENTS_H_
