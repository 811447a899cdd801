#include "shale/wal/log_buffer.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/wal/record_codec.h"

namespace shale {
namespace {

int64_t RoomFor(int64_t payload_bytes) {
  return static_cast<int64_t>(RecordBytes(static_cast<size_t>(payload_bytes)));
}

}  // namespace

LogBuffer::LogBuffer(LogPosition start, int64_t capacity_bytes, Clock& clock,
                     Executor& executor,
                     absl::AnyInvocable<std::string()> why_stuck)
    : room_(capacity_bytes, clock, executor,
            [capacity_bytes,
             why_stuck = std::move(why_stuck)](int64_t used) mutable {
              return absl::ResourceExhaustedError(absl::StrCat(
                  "no room in the log's buffer before the deadline, ", used,
                  " of ", capacity_bytes, " bytes in use: ", why_stuck()));
            }),
      appended_(start) {}

void LogBuffer::Reserve(int64_t payload_bytes, absl::Duration deadline,
                        Granted granted) {
  if (payload_bytes < 0 ||
      payload_bytes > static_cast<int64_t>(kMaxPayloadBytes)) {
    granted(absl::InvalidArgumentError(
        absl::StrCat("log entry of ", payload_bytes, " bytes, want at most ",
                     kMaxPayloadBytes)));
    return;
  }
  std::optional<absl::Status> decided =
      room_.Take(RoomFor(payload_bytes), deadline, std::move(granted));
  if (decided.has_value()) granted(*std::move(decided));
}

void LogBuffer::CancelReservation(int64_t payload_bytes) {
  room_.GiveBack(RoomFor(payload_bytes));
}

absl::StatusOr<LogPosition> LogBuffer::Append(
    std::string record, int64_t reserved_bytes,
    absl::FunctionRef<void(LogPosition start)> added) {
  const int64_t surplus =
      RoomFor(reserved_bytes) - static_cast<int64_t>(record.size());
  SHALE_CHECK(surplus >= 0)
      << "a record of " << record.size() << " bytes outgrows its reservation";
  absl::MutexLock lock(&mu_);
  if (!refusal_.ok()) return refusal_;
  // What was reserved in excess is free from now on; who waits for it is let in
  // with the next release, since callbacks must not run under an append.
  room_.Uncharge(surplus);
  added(appended_);
  return Push(std::move(record));
}

LogPosition LogBuffer::AppendMarker(std::string record) {
  absl::MutexLock lock(&mu_);
  room_.Charge(static_cast<int64_t>(record.size()));
  return Push(std::move(record));
}

LogPosition LogBuffer::Push(std::string record) {
  appended_.value += record.size();
  records_.push_back({std::move(record), appended_});
  return appended_;
}

void LogBuffer::Refuse(const absl::Status& why) {
  {
    absl::MutexLock lock(&mu_);
    if (!refusal_.ok()) return;
    refusal_ = why;
  }
  room_.Fail(why);
}

LogPosition LogBuffer::appended() const {
  absl::MutexLock lock(&mu_);
  return appended_;
}

std::vector<PendingRecord*> LogBuffer::Take(size_t max_bytes) {
  absl::MutexLock lock(&mu_);
  std::vector<PendingRecord*> batch;
  size_t bytes = 0;
  for (; taken_ < records_.size(); ++taken_) {
    PendingRecord& next = records_[taken_];
    if (!batch.empty() && bytes + next.bytes.size() > max_bytes) break;
    bytes += next.bytes.size();
    batch.push_back(&next);
  }
  return batch;
}

void LogBuffer::Rewind(LogPosition durable) {
  Release(durable);
  absl::MutexLock lock(&mu_);
  taken_ = 0;
}

int64_t LogBuffer::Release(LogPosition durable) {
  int64_t bytes = 0;
  int64_t count = 0;
  {
    absl::MutexLock lock(&mu_);
    for (; !records_.empty() && records_.front().end <= durable; ++count) {
      SHALE_CHECK(taken_ > 0) << "released at @" << records_.front().end.value
                              << " without having been written";
      bytes += static_cast<int64_t>(records_.front().bytes.size());
      records_.pop_front();
      --taken_;
    }
  }
  room_.GiveBack(bytes);
  return count;
}

}  // namespace shale
