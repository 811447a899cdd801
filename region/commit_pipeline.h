#ifndef SHALE_REGION_COMMIT_PIPELINE_H_
#define SHALE_REGION_COMMIT_PIPELINE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/alarm.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/uuid.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_lock_table.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/close_gate.h"
#include "shale/region/health_monitor.h"
#include "shale/region/increment_protocol.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/nonce_registry.h"
#include "shale/region/prepared_batch.h"
#include "shale/region/region_counters.h"
#include "shale/region/region_options.h"
#include "shale/region/region_reader.h"
#include "shale/region/region_stores.h"
#include "shale/region/suspended_set.h"
#include "shale/region/write_admission.h"
#include "shale/wal/wal.h"

namespace shale {

// What a commit passes through; all outlive the pipeline.
struct CommitServices {
  const RegionSchema& schema;
  const RegionOptions& options;
  const Uuid& incarnation;
  Clock& clock;
  Executor& executor;
  CloseGate& gate;
  HealthMonitor& health;
  WriteAdmission& admission;
  Wal& wal;
  Mvcc& mvcc;
  RowLockTable& locks;
  RowCommitSequencer& sequencer;
  RegionStores& stores;
  const RegionReader& reader;
  NonceRegistry& nonces;
  IncrementProtocol& increment;
  RegionCounters& counters;
  // For reads of store files that no caller's thread can do.
  Executor& readers;
};

// The one way of a write into a region; the order of its steps is also the lock
// order (docs/concurrency.md):
//
//   close gate -> validate -> nonce -> memstore bytes, log bytes, mvcc slot:
//   wait or fail HERE -> row locks -> (a batch that reads: what the increment
//   protocol waits for, the rows' newest state, the new cells; too large for
//   what was reserved: give all back and start over, with nothing to write:
//   answer when all that was read is visible) -> commit timestamp -> updates
//   lock (shared) -> Begin { append } -> insert -> release it -> MarkInserted
//   -> release row locks -> durable and visible -> acknowledge
//
// A batch that reads what it writes itself (a count behind a delete of its
// column) gets its timestamp when it comes to that: what the one hides of the
// other depends on it (docs/decisions/0010-timestamp-after-the-check.md).
//
// No step after the append fails. Each step may end in another thread than it
// began in. A thread is parked only by Apply, once: in mvcc if it got that far
// itself, else until the thread that carried its commit on has an answer. A
// commit's deadline bounds all its waits: before the append it is refused,
// saying why that took so long; after it, UNKNOWN, since it goes on without its
// caller. Two steps are not cut short, a tick and a read of files: the deadline
// is looked at after them. Thread-safe.
class CommitPipeline {
 public:
  explicit CommitPipeline(const CommitServices& services);
  // REQUIRES: the gate is closed.
  ~CommitPipeline();

  void ApplyAsync(MutationBatch batch,
                  absl::AnyInvocable<void(ApplyResult)> done);
  // The same for a thread that may block, which it then does once. Not from
  // within a callback of the region's.
  ApplyResult Apply(MutationBatch batch);

  // Answers UNKNOWN, with `cause`, to every commit that was appended and is not
  // confirmed, now or later, and refuses those that can't get so far any more.
  void OnPoisoned(const absl::Status& cause);

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
  using Suspended = SuspendedSet<Commit>;

  CommitPtr NewCommit(MutationBatch batch,
                      absl::AnyInvocable<void(ApplyResult)> done);

  // The steps, each called when the one before is done.
  void Start(CommitPtr commit);
  void ClaimNonce(CommitPtr commit);
  void AdmitMemory(CommitPtr commit);
  void ReserveLog(CommitPtr commit);
  void ReserveSlot(CommitPtr commit);
  void LockRows(CommitPtr commit);
  void AwaitBeforeRead(CommitPtr commit);
  void BeginResolve(CommitPtr commit);
  void Resolve(CommitPtr commit, ReadDepth depth);
  void ResolveFromFiles(CommitPtr commit);
  void AskTimestamp(CommitPtr commit);
  void StartOver(CommitPtr commit);
  void AppendAndInsert(CommitPtr commit);
  absl::StatusOr<BeginResult> BeginAndInsert(Commit& commit);
  absl::StatusOr<Appended> Append(Commit& commit, WriteRange range);
  void AwaitDurable(CommitPtr commit);
  void AwaitVisibleAndRelease(CommitPtr commit);
  void AwaitVisible(CommitPtr commit);
  static void ConditionMet(const CommitPtr& commit);
  // In place of all steps after ClaimNonce, for a repeat: once the first is
  // durable as far as this one asks, what it was told.
  void AnswerAsBefore(CommitPtr commit, NonceOutcome first);
  void TellAsBefore(CommitPtr commit);
  void FinishAsBefore(CommitPtr commit, absl::StatusOr<ApplyResult> result);

  // Before a wait for what a stalled log gives late, and a poisoned one never:
  // a slot, durability, visibility. False if it is poisoned already. Whoever
  // takes the commit out again by Resume carries it on: what it waited for,
  // OnPoisoned, or Expire. Until then the commit keeps the region open; where
  // Resume says that another has taken it, this pipeline may be gone.
  bool Suspend(const CommitPtr& commit);
  // Suspends it for `what` and runs `start`, which begins that, or ends it. The
  // region is kept open meanwhile: nothing else may, as another thread may
  // answer the commit.
  void SuspendFor(const CommitPtr& commit, absl::string_view what,
                  absl::FunctionRef<void()> start);
  static bool Resume(const CommitPtr& commit);
  // Ends the suspended commits whose deadline has passed. When the next one's
  // does.
  absl::Duration Expire();
  // What a commit is told that a poisoned log, or its deadline, has ended.
  absl::Status PoisonedStatus(const Commit& commit);
  absl::Status LateStatus(const Commit& commit);
  // Whether its deadline has passed. With a timeout of zero, what needn't wait
  // goes on.
  bool IsLate(const Commit& commit) const;

  // Gives back everything that `commit` holds but its rows.
  void GiveBack(Commit& commit);
  void SettleNonce(const Commit& commit, const absl::Status& status);
  // The one answer: gives back what it holds, settles its nonce.
  void Finish(CommitPtr commit, const absl::Status& status);

  const CommitServices s_;
  absl::Mutex updates_lock_;
  // Bytes of commits inserted into the active memstores. Added to under the
  // updates lock held shared, taken under it exclusively: the lock orders both.
  std::atomic<int64_t> inserted_bytes_ = 0;

  // Shared with the commits: the log may hold a callback of one that was ended,
  // longer than the region lives.
  const std::shared_ptr<Suspended> suspended_;
  Alarm alarm_;  // Last, as it runs Expire.
};

}  // namespace shale

#endif  // SHALE_REGION_COMMIT_PIPELINE_H_
