#include "shale/wal/log_buffer.h"

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

LogBuffer::LogBuffer(LogPosition start, int64_t capacity_bytes)
    : capacity_bytes_(capacity_bytes), appended_(start) {}

void LogBuffer::Reserve(int64_t payload_bytes, Granted granted) {
  if (payload_bytes < 0 ||
      payload_bytes > static_cast<int64_t>(kMaxPayloadBytes)) {
    granted(absl::InvalidArgumentError(
        absl::StrCat("log entry of ", payload_bytes, " bytes, want at most ",
                     kMaxPayloadBytes)));
    return;
  }
  const int64_t bytes = RoomFor(payload_bytes);
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    status = refusal_;
    if (status.ok()) {
      if (!waiters_.empty() || !HasRoom(bytes)) {
        waiters_.push_back({bytes, std::move(granted)});
        return;
      }
      used_bytes_ += bytes;
    }
  }
  granted(status);
}

void LogBuffer::CancelReservation(int64_t payload_bytes) {
  std::vector<Granted> let_in;
  {
    absl::MutexLock lock(&mu_);
    used_bytes_ -= RoomFor(payload_bytes);
    SHALE_CHECK(used_bytes_ >= 0) << "more given back than was reserved";
    let_in = LetIn();
  }
  for (Granted& granted : let_in) granted(absl::OkStatus());
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
  used_bytes_ -= surplus;
  added(appended_);
  return Push(std::move(record));
}

LogPosition LogBuffer::AppendMarker(std::string record) {
  absl::MutexLock lock(&mu_);
  used_bytes_ += static_cast<int64_t>(record.size());
  return Push(std::move(record));
}

LogPosition LogBuffer::Push(std::string record) {
  appended_.value += record.size();
  records_.push_back({std::move(record), appended_});
  return appended_;
}

void LogBuffer::Refuse(const absl::Status& why) {
  std::deque<Waiter> refused;
  {
    absl::MutexLock lock(&mu_);
    if (!refusal_.ok()) return;
    refusal_ = why;
    refused.swap(waiters_);
  }
  for (Waiter& waiter : refused) waiter.granted(why);
}

bool LogBuffer::crowded() const {
  absl::MutexLock lock(&mu_);
  return !waiters_.empty();
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
  std::vector<Granted> let_in;
  int64_t count = 0;
  {
    absl::MutexLock lock(&mu_);
    for (; !records_.empty() && records_.front().end <= durable; ++count) {
      SHALE_CHECK(taken_ > 0) << "released at @" << records_.front().end.value
                              << " without having been written";
      used_bytes_ -= static_cast<int64_t>(records_.front().bytes.size());
      records_.pop_front();
      --taken_;
    }
    let_in = LetIn();
  }
  for (Granted& granted : let_in) granted(absl::OkStatus());
  return count;
}

bool LogBuffer::HasRoom(int64_t bytes) const {
  return used_bytes_ == 0 || used_bytes_ + bytes <= capacity_bytes_;
}

std::vector<LogBuffer::Granted> LogBuffer::LetIn() {
  std::vector<Granted> let_in;
  while (!waiters_.empty() && HasRoom(waiters_.front().bytes)) {
    used_bytes_ += waiters_.front().bytes;
    let_in.push_back(std::move(waiters_.front().granted));
    waiters_.pop_front();
  }
  return let_in;
}

}  // namespace shale
