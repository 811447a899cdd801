#include "shale/wal/log_state.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/segment_name.h"

namespace shale {

LogState::LogState(const WalOptions& options, const WalEnvironment& environment,
                   absl::string_view directory, const LogGeneration& generation)
    : options(options),
      env(environment),
      directory(directory),
      token(generation.token),
      metrics(environment.metrics, directory),
      segments(generation.token.epoch, generation.start,
               generation.source_epoch),
      board(generation.start, environment.clock),
      buffer(generation.start, options.buffer_bytes, environment.clock,
             environment.executor, [this] { return WhyStuck(); }),
      remover_(environment.files, generation.token, environment.log) {}

std::string LogState::WhyStuck() const {
  const LogHealth health = board.health();
  if (health.state != LogHealth::State::kStalled) {
    return absl::StrCat("log ", directory, " is not stalled, syncs are slow");
  }
  return absl::StrCat("log ", directory, " is stalled since ",
                      absl::FormatTime(health.since, absl::UTCTimeZone()), ": ",
                      health.cause.message());
}

LogPosition LogState::AppendMarker(LogEntryType type,
                                   absl::string_view payload) {
  LogEntry marker;
  marker.type = type;
  marker.payload = payload;
  return buffer.AppendMarker(EncodeRecord(marker));
}

int64_t LogState::OnDurable() {
  if (board.health().state == LogHealth::State::kStalled) {
    env.log.Log(Severity::kInfo, "wal",
                absl::StrCat("log ", directory, " goes on, there is space"));
    board.SetHealth(LogHealth::State::kServing, absl::OkStatus());
  }
  const int64_t entries = buffer.Release(board.durable(SyncLevel::kData));
  Trim();
  board.Deliver();
  return entries;
}

void LogState::Poison(const absl::Status& cause) {
  if (board.health().state == LogHealth::State::kPoisoned) return;
  env.log.Log(Severity::kError, "wal",
              absl::StrCat("log ", directory,
                           " takes no more writes: ", cause.ToString()));
  End(cause);
}

void LogState::End(const absl::Status& cause) {
  board.SetHealth(LogHealth::State::kPoisoned, cause);
  buffer.Refuse(absl::FailedPreconditionError(
      absl::StrCat("the log is poisoned: ", cause.ToString())));
  engine_->Abort();
  board.Deliver();
}

void LogState::Trim() {
  // The end is read first: an entry that is added after the tracker was asked,
  // and whose segment may be rolled before Trim, begins no earlier.
  const LogPosition end = buffer.appended();
  const std::vector<SegmentId> dropped =
      segments.Trim(tracker.Oldest().value_or(end));
  metrics.segments.Set(segments.count());
  if (dropped.empty()) return;
  std::vector<std::string> names;
  for (const SegmentId id : dropped) {
    names.push_back(SegmentName(directory, id));
  }
  // Only once the log itself says that it is kept from a later position, as
  // otherwise the next recovery would miss these files.
  std::string position;
  PutFixed64(&position, segments.kept_from().value);
  const LogPosition marker = AppendMarker(LogEntryType::kTrimmed, position);
  if (board.Wait(marker, SyncLevel::kData,
                 [this, names = std::move(names)](absl::Status durable) {
                   if (durable.ok()) remover_.Remove(names);
                 })) {
    engine_->Wake();
  }
}

}  // namespace shale
