#ifndef SHALE_REGION_MUTATION_BATCH_H_
#define SHALE_REGION_MUTATION_BATCH_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/row_mutation.h"

namespace shale {

// When a write counts as done.
enum class Durability {
  kDefault,   // What RegionOptions says.
  kSkipWal,   // In memory. Lost by a crash before the next flush.
  kAsyncWal,  // In the log's memory; on the device soon.
  kSyncWal,   // On the device.
  kFsyncWal,  // On the device, with the file's metadata.
};

constexpr bool IsDurability(Durability level) {
  return level >= Durability::kDefault && level <= Durability::kFsyncWal;
}

struct MutationBatch {
  std::vector<RowMutation> mutations;
  // All or nothing: the first mutation that is refused refuses all. Otherwise
  // good ones are applied beside bad ones.
  bool atomic = false;
  Durability durability = Durability::kDefault;
  // Longest wait for memory and for row locks; RegionOptions has the default.
  std::optional<absl::Duration> timeout;
};

// What became of a batch: a status for each mutation, in order.
//
//   INVALID_ARGUMENT     empty or too long row, no edit, bad timestamp or
//                        level, oversize
//   OUT_OF_RANGE         the row is not in this region
//   NOT_FOUND            no such column family
//   DEADLINE_EXCEEDED    a row lock was not to be had in time
//   RESOURCE_EXHAUSTED   the memstore is full and no flush made room in time
//   FAILED_PRECONDITION  the region is closed, or poisoned (with its cause)
//   ABORTED              atomic batch: another mutation was refused
//   UNKNOWN              appended and never confirmed: it may survive or not
//
// Anything but OK and UNKNOWN means that nothing of the mutation was applied.
struct ApplyResult {
  std::vector<absl::Status> statuses;
  // Of the applied mutations; both zero if there was none.
  Timestamp commit_timestamp = 0;
  WriteRange range;

  // The first status that isn't OK, or OK.
  absl::Status status() const {
    for (const absl::Status& s : statuses) {
      if (!s.ok()) return s;
    }
    return absl::OkStatus();
  }
};

}  // namespace shale

#endif  // SHALE_REGION_MUTATION_BATCH_H_
