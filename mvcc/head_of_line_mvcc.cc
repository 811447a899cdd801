#include "shale/mvcc/head_of_line_mvcc.h"

#include <utility>

#include "shale/mvcc/stuck_write.h"

namespace shale {

HeadOfLineMvcc::HeadOfLineMvcc(const MvccOptions& options, Clock& clock)
    : owner_(options.owner),
      clock_(clock),
      slots_(options.slots, callbacks_),
      pins_(read_point_),
      queue_(owner_, read_point_, slots_, callbacks_) {}

void HeadOfLineMvcc::Reserve(absl::AnyInvocable<void()> granted) {
  slots_.Reserve(std::move(granted));
}

void HeadOfLineMvcc::CancelReservation() {
  slots_.CancelReservation();
  callbacks_.Run();
}

absl::StatusOr<BeginResult> HeadOfLineMvcc::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) {
  absl::MutexLock lock(&mu_);
  return queue_.Begin(count, append, clock_.Monotonic());
}

void HeadOfLineMvcc::MarkInserted(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkInserted(range);
    advanced = Advance(queue_.at(0).range == range);
  }
  Settle(advanced);
}

void HeadOfLineMvcc::MarkDurable(LogPosition position) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkDurable(position);
    advanced = Advance(true);
  }
  Settle(advanced);
}

void HeadOfLineMvcc::Complete(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.Complete(range);
    advanced = Advance(queue_.at(0).range == range);
  }
  Settle(advanced);
}

void HeadOfLineMvcc::OnVisible(WriteRange range,
                               absl::AnyInvocable<void()> done) {
  if (!IsVisible(range.last)) {
    absl::MutexLock lock(&mu_);
    if (!IsVisible(range.last)) {
      queue_.Find(range.last).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

bool HeadOfLineMvcc::WaitVisibleUnless(WriteRange range,
                                       const std::atomic<bool>& given_up) {
  if (IsVisible(range.last)) return true;
  int64_t advanced = 0;
  {
    absl::MutexLock lock(&mu_);
    if (IsVisible(range.last)) return true;
    const auto is_over = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return waits_ended_ || given_up.load(std::memory_order_acquire);
    };
    if (is_over()) return false;
    ++queue_.Find(range.last).parked;
    ++waits_;
    // Others that wait for the same write may be first to take it off.
    while (!IsVisible(range.last)) {
      const QueuedWrite& head = queue_.at(0);
      if (range.last <= head.range.last && queue_.IsFinished(head)) {
        queue_.Leave(1);
        advanced = 1 + Advance(true);
      } else if (is_over()) {
        --queue_.Find(range.last).parked;
        return false;
      } else {
        turn_.Wait(&mu_);
        ++wakes_;
      }
    }
  }
  Settle(advanced);
  return true;
}

void HeadOfLineMvcc::EndWaits() {
  absl::MutexLock lock(&mu_);
  waits_ended_ = true;
  turn_.SignalAll();
}

void HeadOfLineMvcc::RecheckWaits() {
  absl::MutexLock lock(&mu_);
  turn_.SignalAll();
}

void HeadOfLineMvcc::Barrier(absl::AnyInvocable<void()> done) {
  {
    absl::MutexLock lock(&mu_);
    if (!queue_.empty()) {
      ++barriers_;
      queue_.newest().on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

WriteNumber HeadOfLineMvcc::ReadPoint() const {
  return {read_point_.load(std::memory_order_acquire)};
}

WriteNumber HeadOfLineMvcc::WritePoint() const {
  absl::MutexLock lock(&mu_);
  return queue_.last_minted();
}

absl::Status HeadOfLineMvcc::AdvanceTo(WriteNumber number) {
  absl::MutexLock lock(&mu_);
  return queue_.AdvanceTo(number);
}

std::vector<std::string> HeadOfLineMvcc::StuckWrites(absl::Duration age) const {
  std::vector<StuckWrite> stuck;
  LogPosition durable;
  {
    absl::MutexLock lock(&mu_);
    stuck = queue_.Stuck(age, clock_.Monotonic());
    durable = queue_.durable();
  }
  return DescribeStuckWrites(owner_, stuck, durable);
}

MvccStats HeadOfLineMvcc::stats() const {
  absl::MutexLock lock(&mu_);
  return {.waits = waits_,
          .wakes = wakes_,
          .advances = queue_.advances(),
          .barriers = barriers_};
}

int64_t HeadOfLineMvcc::Advance(bool turn_moved) {
  int64_t advanced = 0;
  while (!queue_.empty() && queue_.IsFinished(queue_.at(0)) &&
         queue_.at(0).parked == 0) {
    queue_.Leave(1);
    ++advanced;
  }
  if (advanced > 0 || turn_moved) turn_.SignalAll();
  return advanced;
}

void HeadOfLineMvcc::Settle(int64_t advanced) {
  if (advanced == 0) return;
  slots_.Free(advanced);
  callbacks_.Run();
}

}  // namespace shale
