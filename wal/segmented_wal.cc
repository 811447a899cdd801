#include "shale/wal/segmented_wal.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/completion.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/wal/record_codec.h"

namespace shale {

SegmentedWal::SegmentedWal(const WalOptions& options,
                           const WalEnvironment& environment,
                           absl::string_view directory,
                           const LogGeneration& generation,
                           const LogEngineFactory& new_engine)
    : state_(options, environment, directory, generation),
      engine_(new_engine(state_)) {
  state_.SetEngine(*engine_);
  watchdog_ = std::make_unique<Alarm>(environment.executor,
                                      [this] { return CheckProgress(); });
  watchdog_->RingBy(environment.clock.Monotonic() + options.sync_timeout);
}

SegmentedWal::~SegmentedWal() {
  watchdog_.reset();
  bool closed;
  {
    absl::MutexLock lock(&close_mu_);
    closed = closed_ && close_status_.ok();
  }
  if (closed) return;
  state_.End(absl::UnknownError(absl::StrCat(
      "log ", state_.directory, " was destroyed before it was closed")));
}

absl::Status SegmentedWal::FinishRecovery() {
  SHALE_RETURN_IF_ERROR(SyncAll());
  state_.segments.SetRecovered(
      {state_.buffer.appended().value + RecordBytes(0)});
  state_.AppendMarker(LogEntryType::kRecovered);
  SHALE_RETURN_IF_ERROR(SyncAll());
  state_.AppendMarker(LogEntryType::kCovering);
  SHALE_RETURN_IF_ERROR(SyncAll());
  engine_->SetPatient(true);
  return absl::OkStatus();
}

void SegmentedWal::Reserve(int64_t payload_bytes, absl::Duration deadline,
                           absl::AnyInvocable<void(absl::Status)> granted) {
  state_.buffer.Reserve(payload_bytes, deadline, std::move(granted));
  SyncIfCrowded(appended());
}

// Entries that nobody wanted a sync of must not keep others out for ever.
void SegmentedWal::SyncIfCrowded(LogPosition position) {
  if (!state_.buffer.crowded()) return;
  if (state_.board.Want(position, SyncLevel::kData)) engine_->Wake();
}

void SegmentedWal::CancelReservation(int64_t payload_bytes) {
  state_.buffer.CancelReservation(payload_bytes);
}

absl::StatusOr<LogPosition> SegmentedWal::Append(const LogEntry& entry,
                                                 int64_t reserved_bytes) {
  SHALE_CHECK(!IsLogMarker(entry.type)) << LogEntryTypeName(entry.type);
  std::string record = EncodeRecord(entry);
  const size_t bytes = record.size();
  SHALE_ASSIGN_OR_RETURN(
      const LogPosition position,
      state_.buffer.Append(
          std::move(record), reserved_bytes, [&](LogPosition start) {
            state_.tracker.Add(entry.region, entry.families, start);
          }));
  state_.metrics.appends.Increment();
  state_.metrics.append_bytes.Increment(static_cast<int64_t>(bytes));
  // Nobody is woken: whoever wants it durable says so next, and by then there
  // may be more to write.
  SyncIfCrowded(position);
  return position;
}

void SegmentedWal::RequestSync(LogPosition position, SyncLevel level) {
  SHALE_CHECK(position <= appended()) << position << " of " << appended();
  if (state_.board.Want(position, level)) engine_->Wake();
}

void SegmentedWal::Sync(LogPosition position, SyncLevel level,
                        absl::AnyInvocable<void(absl::Status)> done) {
  SHALE_CHECK(position <= appended()) << position << " of " << appended();
  if (state_.board.Wait(position, level, std::move(done))) engine_->Wake();
}

LogPosition SegmentedWal::appended() const { return state_.buffer.appended(); }

LogPosition SegmentedWal::durable() const {
  return state_.board.durable(SyncLevel::kData);
}

LogHealth SegmentedWal::health() const { return state_.board.health(); }

void SegmentedWal::AddListener(LogListener* listener) {
  state_.board.AddListener(listener);
}

void SegmentedWal::RemoveListener(LogListener* listener) {
  state_.board.RemoveListener(listener);
}

void SegmentedWal::Roll(absl::AnyInvocable<void(absl::Status)> done) {
  engine_->Roll(std::move(done));
}

absl::Status SegmentedWal::SyncAll() {
  LogPosition position = appended();
  do {
    position = appended();
    Waiter<absl::Status> synced;
    Sync(position, SyncLevel::kData, synced.callback());
    if (!synced.Wait().ok()) {
      return Annotate(health().cause, absl::StrCat("log ", state_.directory));
    }
  } while (appended() != position);
  return absl::OkStatus();
}

absl::Status SegmentedWal::Close() {
  absl::MutexLock lock(&close_mu_);
  if (!closed_) {
    closed_ = true;
    close_status_ = CloseOnce();
  }
  return close_status_;
}

absl::Status SegmentedWal::CloseOnce() {
  state_.buffer.Refuse(absl::FailedPreconditionError(
      absl::StrCat("log ", state_.directory, " is closed")));
  state_.segments.StopTrimming();
  engine_->SetPatient(false);
  SHALE_RETURN_IF_ERROR(SyncAll());
  state_.AppendMarker(LogEntryType::kCovering);
  SHALE_RETURN_IF_ERROR(SyncAll());
  engine_->Finish();
  return absl::OkStatus();
}

absl::Duration SegmentedWal::CheckProgress() {
  const absl::Duration timeout = state_.options.sync_timeout;
  const absl::Duration now = state_.env.clock.Monotonic();
  const absl::Duration since = state_.board.waiting_since();
  if (since == absl::InfiniteDuration()) return now + timeout;
  if (now - since < timeout) return since + timeout;
  state_.Poison(absl::DeadlineExceededError(
      absl::StrCat("log ", state_.directory, ": nothing became durable for ",
                   absl::FormatDuration(now - since))));
  return now + timeout;
}

LogPosition SegmentedWal::StartFlush(const Uuid& region, uint64_t families) {
  state_.tracker.StartFlush(region, families);
  return appended();
}

void SegmentedWal::FinishFlush(const Uuid& region, uint64_t families) {
  state_.tracker.FinishFlush(region, families);
  state_.Trim();
}

void SegmentedWal::ForgetRegion(const Uuid& region) {
  state_.tracker.Forget(region);
  state_.Trim();
}

LogPosition SegmentedWal::OldestNeeded(const Uuid& region) const {
  // Read first: an entry that is added meanwhile begins no earlier.
  const LogPosition end = appended();
  return state_.tracker.Oldest(region).value_or(end);
}

bool SegmentedWal::MustFlush(const Uuid& region) const {
  const std::optional<LogPosition> oldest =
      state_.tracker.OldestAfterFlush(region);
  return oldest.has_value() &&
         *oldest < state_.segments.EndOfExcess(state_.options.max_segments);
}

}  // namespace shale
