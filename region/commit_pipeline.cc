#include "shale/region/commit_pipeline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/region/prepared_batch.h"

namespace shale {

// One batch on its way. Steps run one after the other, so its fields need no
// lock; `undecided` and `conditions` are where two threads may meet.
struct CommitPipeline::Commit {
  Commit(const CommitServices& s, MutationBatch b, Timestamp now)
      : durability(b.durability == Durability::kDefault
                       ? s.options.default_durability
                       : b.durability),
        deadline(s.clock.Monotonic() +
                 b.timeout.value_or(s.options.write_timeout)),
        batch(s.schema, s.options, std::move(b), now) {}

  bool logged() const { return durability != Durability::kSkipWal; }
  bool awaits_sync() const {
    return durability == Durability::kSyncWal ||
           durability == Durability::kFsyncWal;
  }

  const Durability durability;
  const absl::Duration deadline;
  PreparedBatch batch;
  absl::AnyInvocable<void(ApplyResult)> done;

  // What it holds, to be given back if it comes to nothing.
  bool holds_memory = false;
  bool holds_log = false;
  bool holds_slot = false;
  RowLocks locks;

  std::string payload;
  Timestamp timestamp = 0;
  WriteRange range;
  LogPosition position;

  // Visible, and for FSYNC_WAL synced with metadata: the last one answers.
  // Decremented with release and acquire, so that it sees what both did.
  std::atomic<int> conditions = 1;
  // Whoever takes it answers. Taken once, by exchange.
  std::atomic<bool> undecided = true;
};

CommitPipeline::CommitPipeline(const CommitServices& services) : s_(services) {}

CommitPipeline::~CommitPipeline() {
  SHALE_CHECK(s_.gate.closed());
  absl::MutexLock lock(&pending_mu_);
  SHALE_CHECK(pending_.empty());
}

void CommitPipeline::ApplyAsync(MutationBatch batch,
                                absl::AnyInvocable<void(ApplyResult)> done) {
  auto commit = std::make_shared<Commit>(s_, std::move(batch),
                                         absl::ToUnixMicros(s_.clock.Now()));
  commit->done = std::move(done);
  if (!s_.gate.Enter()) {
    // Not through Decide, which leaves the gate.
    commit->done(commit->batch.Result(absl::FailedPreconditionError(
        absl::StrCat("region ", s_.schema.name, " is closed"))));
    return;
  }
  absl::Status writable = s_.health.CheckWritable(s_.schema.name);
  if (!writable.ok() || commit->batch.empty()) {
    Decide(commit, writable);
    return;
  }
  AdmitMemory(std::move(commit));
}

void CommitPipeline::AdmitMemory(CommitPtr commit) {
  const int64_t bytes = commit->batch.memory_bytes();
  const absl::Duration deadline = commit->deadline;
  s_.admission.Admit(bytes, deadline,
                     [this, commit = std::move(commit)](absl::Status status) {
                       if (!status.ok()) return Refuse(commit, status);
                       commit->holds_memory = true;
                       ReserveLog(commit);
                     });
}

void CommitPipeline::ReserveLog(CommitPtr commit) {
  if (!commit->logged()) return ReserveSlot(std::move(commit));
  const int64_t bytes = commit->batch.payload_bytes_limit();
  s_.wal.Reserve(bytes,
                 [this, commit = std::move(commit)](absl::Status status) {
                   if (!status.ok()) return Refuse(commit, status);
                   commit->holds_log = true;
                   ReserveSlot(commit);
                 });
}

void CommitPipeline::ReserveSlot(CommitPtr commit) {
  bool poisoned = false;
  {
    absl::MutexLock lock(&pending_mu_);
    poisoned = !poisoned_.ok();
    if (!poisoned) slot_waiters_.insert(commit);
  }
  if (poisoned) {
    return Refuse(commit, s_.health.CheckWritable(s_.schema.name));
  }
  // From here on OnPoisoned may refuse the commit, and then nothing but this
  // entry keeps the region open.
  s_.gate.EnterAgain();
  s_.mvcc.Reserve([this, commit = std::move(commit)] {
    bool mine = false;
    {
      absl::MutexLock lock(&pending_mu_);
      mine = slot_waiters_.erase(commit) > 0;
    }
    if (!mine) return s_.mvcc.CancelReservation();
    commit->holds_slot = true;
    LockRows(commit);
  });
  s_.gate.Leave();
}

void CommitPipeline::LockRows(CommitPtr commit) {
  // Shared locks let puts and deletes of one row pass side by side; they are
  // ordered by their numbers. A sequencer wants one commit of a row at a time.
  const LockMode mode =
      commit->batch.atomic() || s_.sequencer.needs_exclusive_locks()
          ? LockMode::kExclusive
          : LockMode::kShared;
  s_.locks.Acquire(commit->batch.rows(), mode, s_.locks.NewOwner(),
                   commit->deadline,
                   [this, commit](absl::StatusOr<RowLocks> locks) {
                     if (!locks.ok()) return Refuse(commit, locks.status());
                     commit->locks = *std::move(locks);
                     AskTimestamp(commit);
                   });
}

void CommitPipeline::AskTimestamp(CommitPtr commit) {
  s_.sequencer.Assign(commit->batch.rows(),
                      [this, commit](Timestamp timestamp) {
                        AppendAndInsert(commit, timestamp);
                      });
}

void CommitPipeline::AppendAndInsert(CommitPtr commit, Timestamp timestamp) {
  commit->timestamp = timestamp;
  commit->payload = commit->batch.Stamp(timestamp);
  absl::Status refused;
  {
    absl::ReaderMutexLock updates(&updates_lock_);
    absl::StatusOr<BeginResult> begun = s_.mvcc.Begin(
        commit->batch.numbers(),
        [this, &commit](WriteRange range) { return Append(*commit, range); });
    if (begun.ok()) {
      commit->range = begun->range;
      commit->holds_slot = false;
      commit->batch.Number(begun->range);
      const std::shared_ptr<const RegionView> view = s_.stores.view();
      for (const PreparedBatch::PlacedCell& placed : commit->batch.cells()) {
        (*view)[placed.family].active->Insert(placed.cell);
      }
      AddInsertedBytes(commit->batch.memory_bytes());
      commit->holds_memory = false;
    } else {
      refused = begun.status();
    }
  }
  if (!refused.ok()) return Refuse(std::move(commit), refused);
  // Both may carry on other commits right here, so no mutex is held.
  s_.mvcc.MarkInserted(commit->range);
  commit->locks.Release();
  AwaitDurableAndVisible(std::move(commit));
}

absl::StatusOr<Appended> CommitPipeline::Append(Commit& commit,
                                                WriteRange range) {
  if (!commit.logged()) return Appended{kLogStart};
  LogEntry entry;
  entry.region = s_.incarnation;
  entry.range = range;
  entry.commit_timestamp = commit.timestamp;
  entry.families = commit.batch.family_bits();
  entry.payload = commit.payload;
  SHALE_ASSIGN_OR_RETURN(
      commit.position,
      s_.wal.Append(entry, commit.batch.payload_bytes_limit()));
  commit.holds_log = false;
  return Appended{commit.awaits_sync() ? commit.position : kLogStart};
}

void CommitPipeline::AwaitDurableAndVisible(CommitPtr commit) {
  // From here on another thread may answer the commit, and then nothing but
  // this entry keeps the region open.
  s_.gate.EnterAgain();
  RegisterWaits(commit);
  s_.gate.Leave();
}

void CommitPipeline::RegisterWaits(const CommitPtr& commit) {
  absl::Status poisoned;
  {
    absl::MutexLock lock(&pending_mu_);
    if (poisoned_.ok()) {
      pending_.insert(commit);
    } else {
      poisoned = poisoned_;
    }
  }
  if (!poisoned.ok()) {
    Decide(commit, poisoned);
    return;
  }
  const auto met = [this, commit] {
    if (commit->conditions.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Decide(commit, absl::OkStatus());
    }
  };
  if (commit->durability == Durability::kFsyncWal) {
    commit->conditions.store(2, std::memory_order_relaxed);
    s_.wal.Sync(commit->position, SyncLevel::kFull,
                [this, commit, met](absl::Status status) {
                  if (status.ok()) {
                    met();
                  } else {
                    Decide(commit, status);
                  }
                });
  } else if (commit->logged()) {
    // For ASYNC_WAL too: nobody waits, but the data must get there.
    s_.wal.RequestSync(commit->position, SyncLevel::kData);
  }
  s_.mvcc.OnVisible(commit->range, met);
}

void CommitPipeline::Refuse(CommitPtr commit, const absl::Status& status) {
  commit->locks.Release();
  if (commit->holds_slot) s_.mvcc.CancelReservation();
  if (commit->holds_log) {
    s_.wal.CancelReservation(commit->batch.payload_bytes_limit());
  }
  if (commit->holds_memory) s_.admission.Release(commit->batch.memory_bytes());
  Decide(commit, status);
}

void CommitPipeline::Decide(const CommitPtr& commit,
                            const absl::Status& status) {
  if (!commit->undecided.exchange(false, std::memory_order_acq_rel)) return;
  {
    absl::MutexLock lock(&pending_mu_);
    pending_.erase(commit);
  }
  ApplyResult result = commit->batch.Result(status);
  if (status.ok() && !commit->batch.empty()) {
    result.commit_timestamp = commit->timestamp;
    result.range = commit->range;
  }
  commit->done(std::move(result));
  s_.gate.Leave();
}

void CommitPipeline::OnPoisoned(const absl::Status& cause) {
  absl::flat_hash_set<CommitPtr> waiting;
  std::vector<CommitPtr> pending;
  absl::Status unknown;
  {
    absl::MutexLock lock(&pending_mu_);
    if (poisoned_.ok()) {
      poisoned_ = absl::UnknownError(
          absl::StrCat("appended and never confirmed: ", cause.message()));
    }
    unknown = poisoned_;
    waiting.swap(slot_waiters_);
    pending.assign(pending_.begin(), pending_.end());
  }
  const absl::Status refusal = s_.health.CheckWritable(s_.schema.name);
  for (const CommitPtr& commit : waiting) Refuse(commit, refusal);
  for (const CommitPtr& commit : pending) Decide(commit, unknown);
}

}  // namespace shale
