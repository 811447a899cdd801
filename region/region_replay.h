#ifndef SHALE_REGION_REGION_REPLAY_H_
#define SHALE_REGION_REGION_REPLAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/uuid.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/applied_nonce.h"
#include "shale/region/close_record.h"
#include "shale/region/manifest.h"
#include "shale/region/region_stores.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_extent.h"
#include "shale/wal/recovery_sink.h"

namespace shale {

// What recovery found in the log for one region, until it is opened.
struct RegionReplay {
  struct Record {
    WriteRange range;
    std::string payload;  // A cell list.
  };
  std::vector<Record> records;  // In log order.
  // Of every record in the log, needed or not.
  WriteNumber last_number;
  Timestamp newest_timestamp = 0;
  std::vector<AppliedNonce> nonces;
};

// What InsertReplay put into the memstores.
struct ReplayedCells {
  int64_t memory_bytes = 0;
  // The largest number and the newest commit timestamp seen in the log.
  WriteNumber last_number;
  Timestamp newest_timestamp = 0;
};

// Inserts the cells of `replay` that no store file of `manifest` holds into the
// active memstores of `view`. DATA_LOSS naming the region and the record's
// numbers if a record is no cell list or names a family that isn't there.
absl::StatusOr<ReplayedCells> InsertReplay(const RegionReplay& replay,
                                           const Manifest& manifest,
                                           const RegionView& view);

// Sorts the log's records by region. A record whose cells are all flushed, or
// whose region is not in the catalog, isn't needed. Not thread-safe.
class HostReplay final : public RecoverySink {
 public:
  // The regions of the catalog, each with its manifest.
  void AddRegion(const Manifest& manifest);
  // How far the log went when the host was last closed.
  void SetClosed(const CloseRecord& closed) { closed_ = closed; }

  // DATA_LOSS if the log ends before it did when the host was closed, or where
  // a manifest says that it was durable.
  absl::Status Start(const LogExtent& extent) override;
  // Also notes what counts of records that are not needed: the largest number,
  // the newest timestamp and the nonces in the log.
  bool Needs(const LogRecord& record) override;
  absl::Status Replay(const LogRecord& record) override;

  // What was found for a region. Valid until the next call of Forget.
  const RegionReplay& Find(const Uuid& incarnation) const;
  // The region is open: what was found for it is in its memstores now.
  void Forget(const Uuid& incarnation);
  // Whether records were found for regions that weren't opened since.
  bool HoldsRecords() const;

 private:
  struct Region {
    std::string name;
    LogPosition first_needed;
    std::vector<WriteNumber> flushed;  // By family id.
    RegionReplay replay;
  };

  absl::flat_hash_map<Uuid, Region> regions_;
  CloseRecord closed_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_REPLAY_H_
