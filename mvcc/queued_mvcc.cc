#include "shale/mvcc/queued_mvcc.h"

#include <utility>

#include "shale/mvcc/stuck_write.h"

namespace shale {

QueuedMvcc::QueuedMvcc(const MvccOptions& options, Clock& clock)
    : owner_(options.owner),
      clock_(clock),
      slots_(options.slots, callbacks_),
      pins_(read_point_),
      queue_(owner_, read_point_, slots_, callbacks_) {}

void QueuedMvcc::Reserve(absl::AnyInvocable<void()> granted) {
  slots_.Reserve(std::move(granted));
}

void QueuedMvcc::CancelReservation() {
  slots_.CancelReservation();
  callbacks_.Run();
}

absl::StatusOr<BeginResult> QueuedMvcc::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) {
  absl::MutexLock lock(&mu_);
  return queue_.Begin(count, append, clock_.Monotonic());
}

void QueuedMvcc::MarkInserted(WriteRange range) {
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkInserted(range);
    freed = Advance(queue_.at(0).range == range);
  }
  Settle(freed);
}

void QueuedMvcc::MarkDurable(LogPosition position) {
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkDurable(position);
    freed = Advance(true);
  }
  Settle(freed);
}

void QueuedMvcc::Complete(WriteRange range) {
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.Complete(range);
    freed = Advance(queue_.at(0).range == range);
  }
  Settle(freed);
}

void QueuedMvcc::OnVisible(WriteRange range, absl::AnyInvocable<void()> done) {
  if (!IsVisible(range.last)) {
    absl::MutexLock lock(&mu_);
    if (!IsVisible(range.last)) {
      queue_.Find(range.last).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

void QueuedMvcc::Barrier(absl::AnyInvocable<void()> done) {
  {
    absl::MutexLock lock(&mu_);
    const WriteNumber begun = queue_.last_minted();
    if (!IsVisible(begun)) {
      ++barriers_;
      queue_.Find(begun).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

WriteNumber QueuedMvcc::ReadPoint() const {
  return {read_point_.load(std::memory_order_acquire)};
}

WriteNumber QueuedMvcc::WritePoint() const {
  absl::MutexLock lock(&mu_);
  return queue_.last_minted();
}

absl::Status QueuedMvcc::AdvanceTo(WriteNumber number) {
  absl::MutexLock lock(&mu_);
  return queue_.AdvanceTo(number);
}

std::vector<std::string> QueuedMvcc::StuckWrites(absl::Duration age) const {
  std::vector<StuckWrite> stuck;
  LogPosition durable;
  {
    absl::MutexLock lock(&mu_);
    stuck = queue_.Stuck(age, clock_.Monotonic());
    durable = queue_.durable();
  }
  return DescribeStuckWrites(owner_, stuck, durable);
}

MvccStats QueuedMvcc::stats() const {
  absl::MutexLock lock(&mu_);
  return {.waits = waits_.load(std::memory_order_relaxed),
          .wakes = wakes_.load(std::memory_order_relaxed),
          .advances = queue_.advances(),
          .barriers = barriers_};
}

void QueuedMvcc::Settle(int64_t freed) {
  if (freed == 0) return;
  WakeAfterAdvance();
  slots_.Free(freed);
  callbacks_.Run();
}

}  // namespace shale
