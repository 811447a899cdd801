#include "shale/region/commit_pipeline.h"

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/region/commit.h"

namespace shale {

CommitPipeline::CommitPipeline(const CommitServices& services)
    : s_(services),
      suspended_(std::make_shared<Suspended>()),
      alarm_(s_.executor, [this] { return Expire(); }) {}

CommitPipeline::~CommitPipeline() {
  SHALE_CHECK(s_.gate.closed());
  SHALE_CHECK(suspended_->empty());
}

CommitPipeline::CommitPtr CommitPipeline::NewCommit(
    MutationBatch batch, absl::AnyInvocable<void(ApplyResult)> done) {
  auto commit = std::make_shared<Commit>(*this, std::move(batch));
  commit->done = std::move(done);
  return commit;
}

void CommitPipeline::ApplyAsync(MutationBatch batch,
                                absl::AnyInvocable<void(ApplyResult)> done) {
  Start(NewCommit(std::move(batch), std::move(done)));
}

ApplyResult CommitPipeline::Apply(MutationBatch batch) {
  ApplyResult answer;
  absl::Notification answered;
  const CommitPtr commit = NewCommit(std::move(batch), [&](ApplyResult result) {
    answer = std::move(result);
    answered.Notify();
  });
  commit->caller = std::this_thread::get_id();
  Start(commit);
  if (commit->caller_waits) {
    s_.mvcc.WaitVisibleUnless(commit->awaited, commit->wait);
    if (Resume(commit)) Finish(commit, absl::OkStatus());
  }
  answered.WaitForNotification();
  return answer;
}

void CommitPipeline::Start(CommitPtr commit) {
  if (!s_.gate.Enter()) {
    return Finish(std::move(commit),
                  absl::FailedPreconditionError(
                      absl::StrCat("region ", s_.schema.name, " is closed")));
  }
  commit->holds_gate = true;
  if (commit->batch.empty()) return Finish(std::move(commit), absl::OkStatus());
  ClaimNonce(std::move(commit));
}

void CommitPipeline::ClaimNonce(CommitPtr commit) {
  const Nonce nonce = commit->batch.nonce();
  if (nonce.nonce == 0) return AdmitMemory(std::move(commit));
  s_.nonces.Claim(
      nonce, commit->deadline,
      [commit](const absl::StatusOr<std::optional<NonceOutcome>>& outcome) {
        CommitPipeline& p = commit->pipeline;
        if (!outcome.ok()) return p.Finish(commit, outcome.status());
        if (outcome->has_value()) return p.AnswerAsBefore(commit, **outcome);
        commit->holds_nonce = true;
        p.AdmitMemory(commit);
      });
}

void CommitPipeline::AnswerAsBefore(CommitPtr commit, NonceOutcome first) {
  commit->range = first.range;
  commit->timestamp = first.commit_timestamp;
  commit->position = first.position;
  commit->first = std::move(first);
  // The first may have asked for less, and was visible or answered before its
  // file's metadata was synced.
  const bool is_durable = !commit->awaits_sync() ||
                          commit->position == kLogStart ||
                          (commit->sync_level() == SyncLevel::kData &&
                           commit->position <= s_.wal.durable());
  if (is_durable) return TellAsBefore(std::move(commit));
  SuspendFor(commit, "the log", [&] {
    s_.wal.Sync(commit->position, commit->sync_level(),
                [commit](absl::Status status) {
                  if (!Resume(commit)) return;
                  CommitPipeline& p = commit->pipeline;
                  if (!status.ok()) return p.Finish(commit, status);
                  p.TellAsBefore(commit);
                });
  });
}

void CommitPipeline::TellAsBefore(CommitPtr commit) {
  if (commit->batch.IsRemembered(*commit->first) || commit->may_park()) {
    return FinishAsBefore(
        commit, commit->batch.ResultAsBefore(*commit->first, s_.reader));
  }
  SuspendFor(commit, "a read of store files", [&] {
    // The read changes nothing of the commit, so that may end meanwhile; the
    // region stays open until it is done.
    s_.gate.EnterAgain();
    s_.readers.Schedule([this, commit] {
      absl::StatusOr<ApplyResult> result =
          commit->batch.ResultAsBefore(*commit->first, s_.reader);
      if (Resume(commit)) FinishAsBefore(commit, std::move(result));
      s_.gate.Leave();
    });
  });
}

void CommitPipeline::FinishAsBefore(CommitPtr commit,
                                    absl::StatusOr<ApplyResult> result) {
  if (result.ok()) commit->as_before = *std::move(result);
  Finish(std::move(commit), result.status());
}

void CommitPipeline::AdmitMemory(CommitPtr commit) {
  // Only now: what a poisoned region says of a repeat hangs on the first.
  const absl::Status writable = s_.health.CheckWritable(s_.schema.name);
  if (!writable.ok()) return Finish(std::move(commit), writable);
  // Once it waits another thread may carry it on, to its end; then nothing but
  // this entry keeps the region open.
  s_.gate.EnterAgain();
  s_.admission.Admit(commit->reserved.memory_bytes, commit->deadline,
                     [commit](absl::Status status) {
                       CommitPipeline& p = commit->pipeline;
                       if (!status.ok()) return p.Finish(commit, status);
                       commit->holds_memory = true;
                       p.ReserveLog(commit);
                     });
  s_.gate.Leave();
}

void CommitPipeline::ReserveLog(CommitPtr commit) {
  if (!commit->logged()) return ReserveSlot(std::move(commit));
  const int64_t bytes = commit->reserved.payload_bytes;
  const absl::Duration deadline = commit->deadline;
  s_.wal.Reserve(bytes, deadline,
                 [commit = std::move(commit)](absl::Status status) {
                   CommitPipeline& p = commit->pipeline;
                   if (!status.ok()) return p.Finish(commit, status);
                   commit->holds_log = true;
                   p.ReserveSlot(commit);
                 });
}

void CommitPipeline::ReserveSlot(CommitPtr commit) {
  if (s_.mvcc.TryReserve()) {
    commit->holds_slot = true;
    s_.gate.EnterAgain();  // As in SuspendFor.
    LockRows(std::move(commit));
    return s_.gate.Leave();
  }
  SuspendFor(commit, "a slot for the write", [&] {
    s_.mvcc.Reserve([commit] {
      CommitPipeline& p = commit->pipeline;
      if (!Resume(commit)) return p.s_.mvcc.CancelReservation();
      commit->holds_slot = true;
      p.LockRows(commit);
    });
  });
}

void CommitPipeline::LockRows(CommitPtr commit) {
  // Shared locks let puts and deletes of one row pass side by side; they are
  // ordered by their numbers. A sequencer wants one commit of a row at a time.
  const LockMode mode =
      commit->batch.exclusive() || s_.sequencer.needs_exclusive_locks()
          ? LockMode::kExclusive
          : LockMode::kShared;
  commit->waits_for = "room or its rows";
  s_.locks.Acquire(commit->batch.rows(), mode, s_.locks.NewOwner(),
                   commit->deadline, [commit](absl::StatusOr<RowLocks> locks) {
                     CommitPipeline& p = commit->pipeline;
                     if (!locks.ok()) return p.Finish(commit, locks.status());
                     commit->locks = *std::move(locks);
                     if (commit->batch.reads()) {
                       p.AwaitBeforeRead(commit);
                     } else {
                       p.AskTimestamp(commit);
                     }
                   });
}

void CommitPipeline::AwaitBeforeRead(CommitPtr commit) {
  if (!s_.increment.waits_before_read()) return BeginResolve(std::move(commit));
  SuspendFor(commit, "the writes before it", [&] {
    PendingWait* const wait = commit->may_park() ? &commit->wait : nullptr;
    s_.increment.BeforeRead(s_.mvcc, wait, [commit] {
      if (Resume(commit)) commit->pipeline.BeginResolve(commit);
    });
  });
}

void CommitPipeline::BeginResolve(CommitPtr commit) {
  commit->batch.BeginResolve(WallTimestamp(s_.clock));
  const ReadDepth depth = commit->depth();
  Resolve(std::move(commit), depth);
}

void CommitPipeline::Resolve(CommitPtr commit, ReadDepth depth) {
  const absl::StatusOr<PreparedBatch::Resolution> resolution =
      commit->batch.Resolve(s_.reader, depth);
  if (!resolution.ok()) return Finish(commit, resolution.status());
  switch (*resolution) {
    case PreparedBatch::Resolution::kNeedFiles:
      return ResolveFromFiles(std::move(commit));
    case PreparedBatch::Resolution::kNeedTimestamp:
      return AskTimestamp(std::move(commit));
    case PreparedBatch::Resolution::kNothing:
      commit->awaited = commit->read();
      return AwaitVisibleAndRelease(std::move(commit));
    case PreparedBatch::Resolution::kWrite:
      break;
  }
  if (!commit->batch.size().FitsIn(commit->reserved)) return StartOver(commit);
  if (commit->batch.has_commit_timestamp()) {
    AppendAndInsert(std::move(commit));
  } else {
    AskTimestamp(std::move(commit));
  }
}

void CommitPipeline::ResolveFromFiles(CommitPtr commit) {
  SuspendFor(commit, "a read of store files", [&] {
    s_.readers.Schedule([commit] {
      if (Resume(commit)) commit->pipeline.Resolve(commit, ReadDepth::kFiles);
    });
  });
}

void CommitPipeline::AskTimestamp(CommitPtr commit) {
  if (s_.sequencer.waits()) {
    // What comes to nothing now didn't wait for the tick.
    if (IsLate(*commit)) return Finish(commit, LateStatus(*commit));
    commit->waits_for = "a tick of the clock";
  }
  s_.sequencer.Assign(commit->batch.rows(), [commit](Timestamp timestamp) {
    commit->timestamp = timestamp;
    commit->batch.SetCommitTimestamp(timestamp);
    if (commit->batch.resolved()) {
      commit->pipeline.AppendAndInsert(commit);
    } else {
      commit->pipeline.Resolve(commit, commit->depth());
    }
  });
}

void CommitPipeline::StartOver(CommitPtr commit) {
  GiveBack(*commit);
  commit->locks.Release();
  commit->timestamp = 0;
  commit->reserved = commit->batch.larger_reservation();
  AdmitMemory(std::move(commit));
}

void CommitPipeline::AppendAndInsert(CommitPtr commit) {
  if (IsLate(*commit)) return Finish(commit, LateStatus(*commit));
  if (commit->batch.commit_timestamp() > commit->timestamp) {
    commit->timestamp = commit->batch.commit_timestamp();
    s_.sequencer.Raise(commit->batch.rows(), commit->timestamp);
  }
  commit->payload = commit->batch.Payload();
  const absl::StatusOr<BeginResult> begun = BeginAndInsert(*commit);
  if (!begun.ok()) return Finish(std::move(commit), begun.status());
  // These may carry on other commits right here, so no mutex is held.
  s_.mvcc.MarkInserted(commit->range);
  const bool narrow =
      commit->batch.reads() && s_.increment.holds_rows_until_durable();
  if (narrow && commit->awaits_sync()) return AwaitDurable(std::move(commit));
  // A narrow one has its own durability already, but tells what it read.
  commit->awaited = narrow ? commit->read() : commit->range;
  if (commit->logged()) {
    // For ASYNC_WAL too: nobody waits, but the data must get there.
    s_.wal.RequestSync(commit->position, commit->sync_level());
  }
  AwaitVisibleAndRelease(std::move(commit));
}

void CommitPipeline::AwaitVisibleAndRelease(CommitPtr commit) {
  s_.gate.EnterAgain();
  // Last, as it carries on whoever waited for the rows, and those that come
  // meanwhile; and apart, as another thread may finish the commit.
  RowLocks locks = std::move(commit->locks);
  GiveBack(*commit);
  AwaitVisible(std::move(commit));
  locks.Release();
  s_.gate.Leave();
}

absl::StatusOr<BeginResult> CommitPipeline::BeginAndInsert(Commit& commit) {
  absl::ReaderMutexLock updates(&updates_lock_);
  absl::StatusOr<BeginResult> begun = s_.mvcc.Begin(
      commit.batch.numbers(),
      [this, &commit](WriteRange range) { return Append(commit, range); });
  if (!begun.ok()) return begun;
  commit.range = begun->range;
  commit.holds_slot = false;
  if (commit.holds_nonce) {
    s_.nonces.NoteAppended(
        {commit.batch.nonce(), commit.range, commit.timestamp},
        commit.position);
  }
  commit.batch.Number(begun->range);
  const std::shared_ptr<const RegionView> view = s_.stores.view();
  for (const PlacedCell& placed : commit.batch.cells()) {
    (*view)[placed.family].active->Insert(placed.cell);
  }
  s_.counters.commits.Increment();
  if (!commit.logged()) s_.counters.unlogged_commits.Increment();
  s_.counters.cells_written.Increment(
      static_cast<int64_t>(commit.batch.cells().size()));
  AddInsertedBytes(commit.reserved.memory_bytes);
  commit.holds_memory = false;
  return begun;
}

absl::StatusOr<Appended> CommitPipeline::Append(Commit& commit,
                                                WriteRange range) {
  if (!commit.logged()) return Appended{kLogStart};
  LogEntry entry;
  entry.region = s_.incarnation;
  entry.range = range;
  entry.commit_timestamp = commit.timestamp;
  entry.nonce = commit.batch.nonce();
  entry.families = commit.batch.family_bits();
  entry.payload = commit.payload;
  SHALE_ASSIGN_OR_RETURN(commit.position,
                         s_.wal.Append(entry, commit.reserved.payload_bytes));
  commit.holds_log = false;
  return Appended{commit.awaits_sync() ? commit.position : kLogStart};
}

void CommitPipeline::AwaitDurable(CommitPtr commit) {
  SuspendFor(commit, "the log", [&] {
    s_.wal.Sync(commit->position, commit->sync_level(),
                [commit](absl::Status status) {
                  if (Resume(commit)) commit->pipeline.Finish(commit, status);
                });
  });
}

void CommitPipeline::AwaitVisible(CommitPtr commit) {
  if (commit->awaited.last == kNoWriteNumber) {
    return Finish(std::move(commit), absl::OkStatus());
  }
  const bool awaits_metadata =
      commit->appended() && commit->sync_level() == SyncLevel::kFull;
  if (commit->may_park() && !awaits_metadata) {
    commit->waits_for = "the log";
    commit->caller_waits = Suspend(commit);
    if (!commit->caller_waits) Finish(commit, PoisonedStatus(*commit));
    return;
  }
  if (awaits_metadata) commit->conditions.store(2, std::memory_order_relaxed);
  SuspendFor(commit, "the log", [&] {
    if (awaits_metadata) {
      s_.wal.Sync(commit->position, SyncLevel::kFull,
                  [commit](absl::Status status) {
                    if (status.ok()) return ConditionMet(commit);
                    if (Resume(commit)) commit->pipeline.Finish(commit, status);
                  });
    }
    s_.mvcc.OnVisible(commit->awaited, [commit] { ConditionMet(commit); });
  });
}

void CommitPipeline::ConditionMet(const CommitPtr& commit) {
  if (commit->conditions.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (Resume(commit)) commit->pipeline.Finish(commit, absl::OkStatus());
}

bool CommitPipeline::Suspend(const CommitPtr& commit) {
  const Suspended::Added added = suspended_->Add(commit);
  if (added == Suspended::Added::kAddedFirst) alarm_.RingBy(commit->deadline);
  return added != Suspended::Added::kNot;
}

void CommitPipeline::SuspendFor(const CommitPtr& commit, absl::string_view what,
                                absl::FunctionRef<void()> start) {
  commit->waits_for = what;
  s_.gate.EnterAgain();
  if (Suspend(commit)) {
    start();
  } else {
    Finish(commit, PoisonedStatus(*commit));
  }
  s_.gate.Leave();
}

bool CommitPipeline::Resume(const CommitPtr& commit) {
  return commit->suspended->Take(commit);
}

absl::Duration CommitPipeline::Expire() {
  const Suspended::Expired expired =
      suspended_->TakeExpired(s_.clock.Monotonic());
  if (expired.late.empty()) return expired.next;
  for (const CommitPtr& commit : expired.late) {
    s_.mvcc.GiveUp(commit->wait);
    Finish(commit, LateStatus(*commit));
  }
  return expired.next;
}

absl::Status CommitPipeline::PoisonedStatus(const Commit& commit) {
  return commit.appended() ? suspended_->closed()
                           : s_.health.CheckWritable(s_.schema.name);
}

bool CommitPipeline::IsLate(const Commit& commit) const {
  return commit.timeout > absl::ZeroDuration() &&
         s_.clock.Monotonic() >= commit.deadline;
}

absl::Status CommitPipeline::LateStatus(const Commit& commit) {
  const std::string timeout = absl::FormatDuration(commit.timeout);
  if (!commit.appended()) {
    return s_.health.Busy(absl::StrCat("nothing applied within ", timeout,
                                       ", waiting for ", commit.waits_for));
  }
  const absl::string_view what = commit.first.has_value()
                                     ? "applied before and not answered within "
                                     : "appended and not confirmed within ";
  return absl::UnknownError(
      absl::StrCat(what, timeout, ": ", s_.health.WhyBusy()));
}

void CommitPipeline::GiveBack(Commit& commit) {
  if (std::exchange(commit.holds_slot, false)) s_.mvcc.CancelReservation();
  if (std::exchange(commit.holds_log, false)) {
    s_.wal.CancelReservation(commit.reserved.payload_bytes);
  }
  if (std::exchange(commit.holds_memory, false)) {
    s_.admission.Release(commit.reserved.memory_bytes);
  }
}

void CommitPipeline::SettleNonce(const Commit& commit,
                                 const absl::Status& status) {
  const Nonce nonce = commit.batch.nonce();
  if (!commit.appended()) return s_.nonces.Release(nonce);
  std::vector<RowResult> rows = commit.batch.NewCells();
  if (status.ok()) return s_.nonces.Succeed(nonce, std::move(rows));
  // UNKNOWN: it goes on without its caller.
  s_.nonces.LeaveUnconfirmed(nonce);
  s_.mvcc.OnVisible(commit.range, [&nonces = s_.nonces, nonce,
                                   rows = std::move(rows)]() mutable {
    nonces.Succeed(nonce, std::move(rows));
  });
}

void CommitPipeline::Finish(CommitPtr commit, const absl::Status& status) {
  GiveBack(*commit);
  if (commit->holds_nonce) SettleNonce(*commit, status);
  ApplyResult result;
  if (commit->as_before.has_value()) {
    result = *std::move(commit->as_before);
  } else {
    result = commit->batch.Result(status);
    if (status.ok() && commit->appended()) {
      result.commit_timestamp = commit->timestamp;
      result.range = commit->range;
    }
  }
  const bool inside = commit->holds_gate;
  commit->done(std::move(result));
  // After the answer, which would else wait for all that this carries on.
  commit->locks.Release();
  if (inside) s_.gate.Leave();
}

void CommitPipeline::OnPoisoned(const absl::Status& cause) {
  const std::vector<CommitPtr> suspended = suspended_->Close(absl::UnknownError(
      absl::StrCat("appended and never confirmed: ", cause.message())));
  s_.mvcc.EndWaits();
  s_.nonces.Fail(s_.health.CheckWritable(s_.schema.name));
  for (const CommitPtr& commit : suspended) {
    Finish(commit, PoisonedStatus(*commit));
  }
}

}  // namespace shale
