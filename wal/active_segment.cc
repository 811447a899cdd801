#include "shale/wal/active_segment.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {
namespace {

// A sync that takes longer is worth a line in the log.
constexpr absl::Duration kSlowSync = absl::Milliseconds(100);

}  // namespace

ActiveSegment::ActiveSegment(LogState& log, std::string name,
                             const SegmentHeader& header,
                             std::unique_ptr<AppendFile> file)
    : log_(log),
      writer_(std::move(name), header, std::move(file)),
      handed_data_(header.first),
      handed_full_(log.board.durable(SyncLevel::kFull)),
      written_(header.first),
      ledger_(handed_data_, handed_full_) {}

bool ActiveSegment::WriteHeader() {
  const absl::Status status = writer_.WriteHeader();
  if (!status.ok()) Fail(status);
  return status.ok();
}

bool ActiveSegment::Write(absl::Span<PendingRecord* const> records) {
  const absl::Status status =
      writer_.Write(records, log_.board.durable(SyncLevel::kData));
  if (!status.ok()) {
    Fail(status);
    return false;
  }
  absl::MutexLock lock(&mu_);
  written_ = writer_.end();
  return true;
}

std::optional<ActiveSegment::SyncTask> ActiveSegment::NextSync(bool forced) {
  const LogPosition end = writer_.end();
  const bool full =
      log_.board.wanted(SyncLevel::kFull) > handed_full_ && end > handed_full_;
  const bool data =
      (forced || log_.board.wanted(SyncLevel::kData) > handed_data_) &&
      end > handed_data_;
  if (!full && !data) return std::nullopt;
  SyncTask task;
  task.position = end;
  task.level = full ? SyncLevel::kFull : SyncLevel::kData;
  task.handed_at = log_.env.clock.Monotonic();
  handed_data_ = end;
  if (full) handed_full_ = end;
  absl::MutexLock lock(&mu_);
  ++tasks_;
  return task;
}

void ActiveSegment::AwaitSyncs() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(this, &ActiveSegment::IsIdle));
}

void ActiveSegment::BeginFinish() {
  finish_ = std::make_unique<Waiter<absl::Status>>();
  writer_.file().Finish(finish_->callback());
}

void ActiveSegment::AwaitFinish() {
  if (const absl::Status status = finish_->Wait(); !status.ok()) {
    log_.env.log.Log(
        Severity::kWarning, "wal",
        absl::StrCat(name(), " is complete, but closing it failed: ",
                     status.ToString()));
  }
}

bool ActiveSegment::RunSync(const SyncTask& task) {
  if (!failure().ok()) return false;
  LogPosition position;
  const std::optional<SyncLedger::Ticket> ticket = BeginSync(task, &position);
  if (!ticket.has_value()) return true;
  if (!EndSync(*ticket, SyncFile(task, position))) return false;
  log_.metrics.entries_per_sync.Record(log_.OnDurable());
  return true;
}

std::optional<SyncLedger::Ticket> ActiveSegment::BeginSync(
    const SyncTask& task, LogPosition* position) {
  absl::MutexLock lock(&mu_);
  if (ledger_.begun(task.level) >= task.position) {
    --tasks_;
    return std::nullopt;
  }
  *position = written_;
  return ledger_.Begin(written_, task.level);
}

absl::Status ActiveSegment::SyncFile(const SyncTask& task,
                                     LogPosition position) {
  const absl::Duration begun = log_.env.clock.Monotonic();
  const absl::Status status = writer_.Sync(task.level);
  const absl::Duration took = log_.env.clock.Monotonic() - begun;
  if (!status.ok()) return status;
  log_.metrics.syncs.Increment();
  log_.metrics.sync_micros.Record(absl::ToInt64Microseconds(took));
  if (took >= kSlowSync) {
    log_.env.log.Log(
        Severity::kWarning, "wal",
        absl::StrCat("slow sync of ", name(), " up to @", position.value, ": ",
                     absl::FormatDuration(took), " in the file system, after ",
                     absl::FormatDuration(begun - task.handed_at),
                     " waiting for a syncer"));
  }
  return status;
}

bool ActiveSegment::EndSync(SyncLedger::Ticket ticket,
                            const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  if (failure_.ok()) failure_ = status;
  if (!failure_.ok()) return false;
  if (!joined_) {
    joined_ = true;
    log_.segments.Join(writer_.header());
    log_.board.NoteSegment();
  }
  --tasks_;
  ledger_.End(ticket);
  // Under the lock, so that nothing becomes durable by a segment that failed.
  log_.board.Advance(ledger_.durable(SyncLevel::kData),
                     ledger_.durable(SyncLevel::kFull));
  return true;
}

void ActiveSegment::Fail(const absl::Status& cause) {
  SHALE_CHECK(!cause.ok());
  absl::MutexLock lock(&mu_);
  if (failure_.ok()) failure_ = cause;
}

absl::Status ActiveSegment::failure() const {
  absl::MutexLock lock(&mu_);
  return failure_;
}

bool ActiveSegment::joined() const {
  absl::MutexLock lock(&mu_);
  return joined_;
}

}  // namespace shale
