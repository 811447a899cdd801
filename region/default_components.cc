#include "shale/cache/block_cache.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/increment_protocol.h"
#include "shale/region/region_components.h"
#include "shale/wal/open_wal.h"

namespace shale {

// Each factory is the one that the seam's build flag has linked in.
RegionComponents DefaultRegionComponents() {
  return {NewMvcc, NewRowCommitSequencer, NewIncrementProtocol, NewBlockCache,
          OpenWal};
}

}  // namespace shale
