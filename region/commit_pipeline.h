#ifndef SHALE_REGION_COMMIT_PIPELINE_H_
#define SHALE_REGION_COMMIT_PIPELINE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/clock.h"
#include "shale/base/uuid.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_lock_table.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/close_gate.h"
#include "shale/region/health_monitor.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region_options.h"
#include "shale/region/region_stores.h"
#include "shale/region/write_admission.h"
#include "shale/wal/wal.h"

namespace shale {

// What a commit passes through; all outlive the pipeline.
struct CommitServices {
  const RegionSchema& schema;
  const RegionOptions& options;
  const Uuid& incarnation;
  Clock& clock;
  CloseGate& gate;
  HealthMonitor& health;
  WriteAdmission& admission;
  Wal& wal;
  Mvcc& mvcc;
  RowLockTable& locks;
  RowCommitSequencer& sequencer;
  RegionStores& stores;
};

// The one way of a write into a region; the order of its steps is also the lock
// order (docs/concurrency.md):
//
//   close gate -> validate -> memstore bytes, log bytes, mvcc slot: wait or
//   fail HERE -> row locks -> commit timestamp -> updates lock (shared) ->
//   Begin { append } -> insert -> release it -> MarkInserted -> release row
//   locks -> durable and visible -> acknowledge
//
// No step after the append fails. Each step may end in another thread than it
// began in; no thread is parked for a commit. Thread-safe.
class CommitPipeline {
 public:
  explicit CommitPipeline(const CommitServices& services);
  // REQUIRES: the gate is closed.
  ~CommitPipeline();

  void ApplyAsync(MutationBatch batch,
                  absl::AnyInvocable<void(ApplyResult)> done);

  // Answers UNKNOWN, with `cause`, to every commit that was appended and is not
  // confirmed, now or later, and refuses those that can't get so far any more.
  void OnPoisoned(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(pending_mu_);

  // Held shared while a commit appends and inserts; exclusively to swap the
  // memstores. Order: row locks -> this -> mvcc -> log.
  absl::Mutex& updates_lock() ABSL_LOCK_RETURNED(updates_lock_) {
    return updates_lock_;
  }

  // Counts replayed cells like inserted ones.
  void AddInsertedBytes(int64_t bytes) {
    inserted_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }

  // What admitted commits have inserted since the last call: the bytes that
  // belong to the memstores being frozen.
  int64_t TakeInsertedBytes() ABSL_EXCLUSIVE_LOCKS_REQUIRED(updates_lock_) {
    return inserted_bytes_.exchange(0, std::memory_order_relaxed);
  }

 private:
  struct Commit;
  using CommitPtr = std::shared_ptr<Commit>;

  // The steps, each called when the one before is done.
  void AdmitMemory(CommitPtr commit);
  void ReserveLog(CommitPtr commit);
  void ReserveSlot(CommitPtr commit);
  void LockRows(CommitPtr commit);
  void AskTimestamp(CommitPtr commit);
  void AppendAndInsert(CommitPtr commit, Timestamp timestamp);
  absl::StatusOr<Appended> Append(Commit& commit, WriteRange range);
  void AwaitDurableAndVisible(CommitPtr commit);
  void RegisterWaits(const CommitPtr& commit);

  // Gives back what `commit` holds, and answers `status`, nothing being
  // applied.
  void Refuse(CommitPtr commit, const absl::Status& status);
  // Answers, once: later calls for the same commit do nothing.
  void Decide(const CommitPtr& commit, const absl::Status& status);

  const CommitServices s_;
  absl::Mutex updates_lock_;
  // Bytes of commits inserted into the active memstores. Added to under the
  // updates lock held shared, taken under it exclusively: the lock orders both.
  std::atomic<int64_t> inserted_bytes_ = 0;

  absl::Mutex pending_mu_;  // A leaf.
  // Appended and not yet decided.
  absl::flat_hash_set<CommitPtr> pending_ ABSL_GUARDED_BY(pending_mu_);
  // Waiting for a slot, which a poisoned log never frees. Who takes a commit
  // out carries it on: the grant, or OnPoisoned.
  absl::flat_hash_set<CommitPtr> slot_waiters_ ABSL_GUARDED_BY(pending_mu_);
  // The log's first cause; OK while it isn't poisoned.
  absl::Status poisoned_ ABSL_GUARDED_BY(pending_mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_COMMIT_PIPELINE_H_
