#ifndef SHALE_REGION_REGION_H_
#define SHALE_REGION_REGION_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/region/append.h"
#include "shale/region/check_and_mutate.h"
#include "shale/region/column_family.h"
#include "shale/region/increment.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/read_request.h"
#include "shale/region/region_health.h"
#include "shale/region/region_options.h"
#include "shale/region/region_scanner.h"
#include "shale/region/region_stats.h"
#include "shale/region/row_result.h"
#include "shale/region/update_result.h"

namespace shale {

class RegionCore;

// A contiguous range of rows of one table, durable and consistent: writes go to
// the host's log and the memstores, reads merge memstores and store files at
// one read point.
//
// Promises:
//   - Nothing is acknowledged before it is durable at its level, and nothing
//     acknowledged at SYNC_WAL or FSYNC_WAL is ever lost.
//   - A batch's mutations become visible all at once; a reader sees all writes
//     up to a number and none after it.
//   - After a write is answered with OK, every later read sees it; but after a
//     read-modify-write with --//region:increment=narrow only once it is
//     visible, or with READ_UNCOMMITTED.
//
// Thread-safe. Made by RegionHost, which outlives it. The destructor closes it.
class Region {
 public:
  explicit Region(std::unique_ptr<RegionCore> core);
  ~Region();

  const RegionSchema& schema() const;

  // The core of all writes: applies `batch` and runs `done` once it is decided,
  // perhaps in the calling thread, else on a thread of the host. Blocks for
  // nothing but memory work. `done` must not block, nor take a lock that its
  // owner holds across a call that does. Errors of all writes, each mutation's
  // own: see ApplyResult; FAILED_PRECONDITION too if the host is open for
  // inspection only.
  void ApplyAsync(MutationBatch batch,
                  absl::AnyInvocable<void(ApplyResult)> done);
  // The same, waiting. The second applies one row's mutation.
  ApplyResult Apply(MutationBatch batch);
  absl::Status Apply(RowMutation mutation,
                     Durability durability = Durability::kDefault);

  // Read-modify-writes, each atomic and in one order with all other changes of
  // its row. Answered once durable and visible (--//region:increment=narrow:
  // once durable). The forms with `done` are as ApplyAsync, the others block.
  UpdateResult Increment(class Increment increment);
  UpdateResult Append(class Append append);
  UpdateResult CheckAndMutate(class CheckAndMutate check_and_mutate);
  using UpdateDone = absl::AnyInvocable<void(UpdateResult)>;
  void IncrementAsync(class Increment increment, UpdateDone done);
  void AppendAsync(class Append append, UpdateDone done);
  void CheckAndMutateAsync(class CheckAndMutate check_and_mutate,
                           UpdateDone done);

  // The row's cells; empty, not an error, if it has none. Reads what is visible
  // at the call; blocks on reads of store files. Errors, of a scanner's Next()
  // too but for the first two:
  //   INVALID_ARGUMENT     an empty row, a row that is too long, a bad limit or
  //                        time range
  //   NOT_FOUND            no such column family
  //   FAILED_PRECONDITION  the region is closed
  //   DATA_LOSS            a block that is needed is damaged: names file and
  //                        offset
  //   UNIMPLEMENTED        its codec is not in this build
  //   and what the file system says (outcome.h)
  absl::StatusOr<RowResult> Read(const Get& get) const;
  absl::StatusOr<std::unique_ptr<RegionScanner>> NewScanner(
      const Scan& scan) const;

  // Writes what the memstores hold to store files. One at a time; a call during
  // another waits for its turn. What a failed one has not written stays in
  // memory, readable, and in the log; the next goes on with it.
  //   FAILED_PRECONDITION  closed, poisoned (with its cause), or the host is
  //                        open for inspection only
  //   RESOURCE_EXHAUSTED   no space, or the log hasn't confirmed in time
  //   UNKNOWN, ABORTED     whether the files count is not known, or another
  //                        owner has the region: it is poisoned
  //   and what the file system says (outcome.h)
  absl::StatusOr<FlushResult> Flush();

  // Merges all files of each family into one and drops what no reader needs.
  // One at a time, beside flushes. Families that were done before an error stay
  // so. Errors as of Read and Flush; CANCELLED if the region closes meanwhile.
  absl::StatusOr<CompactionResult> Compact();

  // Reads and checks every byte of every store file, past the cache. `progress`
  // gets bytes done and bytes in all, in the calling thread; may be empty.
  // FAILED_PRECONDITION if closed; DATA_LOSS naming the first damaged file and
  // offset, UNIMPLEMENTED for a codec that is not in this build; and what the
  // file system says.
  absl::Status Verify(
      const std::function<void(uint64_t, uint64_t)>& progress) const;

  // Refuses what comes later, waits for what is inside and flushes. Idempotent:
  // later calls give what the first came to. Takes no longer than the timeouts
  // of the writes inside and of the flush; it waits for no space:
  // RESOURCE_EXHAUSTED if the region is stalled then, FAILED_PRECONDITION with
  // the cause if it is poisoned. If the flush fails its error is returned; the
  // region is closed all the same, and what it held is replayed when the host
  // is opened again.
  absl::Status Close();

  RegionHealth Health() const;
  RegionStats Stats() const;

 private:
  UpdateResult Update(MutationBatch batch);
  void UpdateAsync(MutationBatch batch, UpdateDone done);

  std::unique_ptr<RegionCore> core_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_H_
