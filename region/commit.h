#ifndef SHALE_REGION_COMMIT_H_
#define SHALE_REGION_COMMIT_H_

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/cell/log_position.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/region/batch_checks.h"
#include "shale/region/commit_pipeline.h"
#include "shale/region/durability.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/nonce_registry.h"
#include "shale/region/prepared_batch.h"
#include "shale/region/region_reader.h"
#include "shale/wal/wal.h"

namespace shale {

// One batch on its way. Steps run one after the other, so its fields need no
// lock; `conditions` is where two threads may meet.
struct CommitPipeline::Commit {
  Commit(CommitPipeline& p, MutationBatch b)
      : pipeline(p),
        durability(HighestDurability(b, p.s_.options.default_durability)),
        timeout(std::clamp(b.timeout.value_or(p.s_.options.write_timeout),
                           absl::ZeroDuration(), kMaxWriteTimeout)),
        deadline(p.s_.clock.Monotonic() + timeout),
        suspended(p.suspended_),
        batch(p.s_.schema, p.s_.options, std::move(b),
              WallTimestamp(p.s_.clock)),
        reserved(batch.reservation()) {}

  bool logged() const { return durability != Durability::kSkipWal; }
  bool awaits_sync() const {
    return durability == Durability::kSyncWal ||
           durability == Durability::kFsyncWal;
  }
  SyncLevel sync_level() const {
    return durability == Durability::kFsyncWal ? SyncLevel::kFull
                                               : SyncLevel::kData;
  }
  // A repeat is, as its first was.
  bool appended() const { return range.last > kNoWriteNumber; }
  // What its cells, or its answer, were made of.
  WriteRange read() const { return {batch.newest_read(), batch.newest_read()}; }
  // Whether this is the thread that blocks for the answer.
  bool may_park() const { return caller == std::this_thread::get_id(); }
  ReadDepth depth() const {
    return may_park() ? ReadDepth::kFiles : ReadDepth::kMemory;
  }

  CommitPipeline& pipeline;
  const Durability durability;
  const absl::Duration timeout;
  const absl::Duration deadline;
  const std::shared_ptr<Suspended> suspended;
  PreparedBatch batch;
  absl::AnyInvocable<void(ApplyResult)> done;
  // Of a thread that blocks for the answer.
  std::thread::id caller;
  // Set by that thread alone, when the commit has got to its last wait there.
  bool caller_waits = false;
  // Where that thread is parked; given up by who ends its wait.
  PendingWait wait;

  // What it holds, to be given back.
  BatchSize reserved;
  bool holds_gate = false;
  bool holds_nonce = false;
  bool holds_memory = false;
  bool holds_log = false;
  bool holds_slot = false;
  RowLocks locks;

  // For the text of a refusal.
  absl::string_view waits_for;
  Timestamp timestamp = 0;
  std::string payload;
  WriteRange range;  // Once appended.
  // What has to be visible before the answer; none if it is zero.
  WriteRange awaited;
  LogPosition position;
  // Of a repeat, which isn't applied again: what became of the first, whose
  // range, timestamp and position it takes over, and what it is told of it.
  std::optional<NonceOutcome> first;
  std::optional<ApplyResult> as_before;

  // Visible, and for FSYNC_WAL synced with metadata: the last one answers.
  // Decremented with release and acquire, so that it sees what both did.
  std::atomic<int> conditions = 1;
};

}  // namespace shale

#endif  // SHALE_REGION_COMMIT_H_
