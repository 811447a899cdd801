#ifndef SHALE_REGION_MUTATION_BATCH_H_
#define SHALE_REGION_MUTATION_BATCH_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/durability.h"
#include "shale/region/row_check.h"
#include "shale/region/row_mutation.h"
#include "shale/region/row_result.h"
#include "shale/wal/log_entry.h"

namespace shale {

// Mutations of one or many rows to be applied together: visible all at once,
// logged as one record, synced once. Later ones count as written later.
struct MutationBatch {
  std::vector<RowMutation> mutations;
  // All or nothing: the first mutation that is refused refuses all. Otherwise
  // good ones are applied beside bad ones.
  bool atomic = false;
  // Nothing is applied unless this holds. Needs one mutation, of the same row.
  std::optional<RowCheck> check;
  // Whether ApplyResult::rows is filled in.
  bool want_results = false;
  // Of a batch that may be sent again: it is applied once (nonce_registry.h).
  // Not for many mutations that aren't atomic. A repeat is answered once the
  // first is durable at the repeat's own level, if the first is in the log.
  Nonce nonce;
  // Of those mutations that have no level of their own; by default that of
  // RegionOptions. All are answered at the highest level among them, so the log
  // is skipped only if every mutation skips it.
  Durability durability = Durability::kDefault;
  // Longest wait, from begin to confirmation; RegionOptions has the default and
  // the maximum, which longer ones count as. Zero, as which less counts: what
  // needs no wait is done, and the rest is answered as when the time is up.
  std::optional<absl::Duration> timeout;
};

// What became of a batch: a status for each mutation, in order.
//
//   INVALID_ARGUMENT     empty or too long row, no edit, bad timestamp, tags or
//                        level, oversize, a counter that isn't 8 bytes long, a
//                        check of another row
//   OUT_OF_RANGE         the row is not in this region
//   NOT_FOUND            no such column family
//   DEADLINE_EXCEEDED    a row lock was not to be had in time
//   RESOURCE_EXHAUSTED   there was no room in memstore or log in time, or what
//                        was read was not confirmed in time: says why
//   FAILED_PRECONDITION  the region is closed, or poisoned (with its cause)
//   ABORTED              atomic batch: another mutation was refused
//   UNAVAILABLE, ...     what it had to read could not be read: as Region::Read
//   UNKNOWN              appended and not confirmed, in time or ever: it may
//                        become visible later, survive, or not. Of a repeat:
//                        this may hold for the first, or that was applied and
//                        what it made can't be told
//
// Anything but OK and UNKNOWN means that nothing of the mutation was applied,
// of a repeat neither by the first; but a closed region doesn't look for one.
//
// A batch that reads (increments, appends, a check) and writes nothing is
// answered only once all that it read is visible.
struct ApplyResult {
  std::vector<absl::Status> statuses;
  // Whether the check held; true without one.
  bool matched = true;
  // If wanted, for each mutation the new cells of its increments and appends,
  // one for each column. An increment by 0 gives the cell that is there, if
  // any. The repeat of a nonce gives what the first gave. If that isn't
  // remembered, as it was large, or long ago, or before a restart, it gives the
  // same cells without those whose versions of then have been dropped or
  // deleted, and without increments by 0.
  std::vector<RowResult> rows;
  // What the batch got, with its rows locked; zero if nothing was written, also
  // if it took one to find that out. A count above a delete of its batch may
  // have made it larger (Edit::source): then the largest.
  Timestamp commit_timestamp = 0;
  // Of the applied mutations; zero if nothing was written.
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
