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
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkInserted(range);
    freed = Advance(queue_.at(0).range == range);
  }
  Settle(freed);
}

void HeadOfLineMvcc::MarkDurable(LogPosition position) {
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkDurable(position);
    freed = Advance(true);
  }
  Settle(freed);
}

void HeadOfLineMvcc::Complete(WriteRange range) {
  int64_t freed;
  {
    absl::MutexLock lock(&mu_);
    queue_.Complete(range);
    freed = Advance(queue_.at(0).range == range);
  }
  Settle(freed);
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
  int64_t freed = 0;
  {
    absl::MutexLock lock(&mu_);
    if (IsVisible(range.last)) return true;
    if (IsOver(given_up)) return false;
    ++queue_.Find(range.last).parked;
    ++waits_;
    // Others that wait for the same write may be first to take it off.
    while (!IsVisible(range.last)) {
      const QueuedWrite& head = queue_.at(0);
      if (range.last <= head.range.last && queue_.IsFinished(head)) {
        freed = LeaveAsHead();
      } else if (IsOver(given_up)) {
        --queue_.Find(range.last).parked;
        return false;
      } else {
        Park();
      }
    }
  }
  Settle(freed);
  return true;
}

bool HeadOfLineMvcc::WaitBarrierUnless(const std::atomic<bool>& given_up) {
  int64_t freed = 0;
  {
    absl::MutexLock lock(&mu_);
    if (queue_.empty()) return true;
    const WriteNumber begun = queue_.last_minted();
    if (!IsVisible(begun)) {
      ++barriers_;
      if (IsOver(given_up)) return false;
    }
    QueuedWrite& barrier = queue_.AddBarrier();
    ++waits_;
    while (&queue_.at(0) != &barrier) {
      if (IsOver(given_up)) {
        queue_.GiveUpBarrier(barrier);
        return IsVisible(begun);
      }
      Park();
    }
    freed = LeaveAsHead();
  }
  Settle(freed);
  return true;
}

bool HeadOfLineMvcc::IsOver(const std::atomic<bool>& given_up) const {
  return waits_ended_ || given_up.load(std::memory_order_acquire);
}

void HeadOfLineMvcc::Park() {
  turn_.Wait(&mu_);
  ++wakes_;
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
    const WriteNumber begun = queue_.last_minted();
    if (!IsVisible(begun)) {
      ++barriers_;
      queue_.Find(begun).on_visible.push_back(std::move(done));
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
  int64_t freed = 0;
  while (!queue_.empty() && queue_.IsFinished(queue_.at(0)) &&
         queue_.at(0).parked == 0) {
    freed += queue_.Leave(1);
    turn_moved = true;
  }
  if (turn_moved) turn_.SignalAll();
  return freed;
}

int64_t HeadOfLineMvcc::LeaveAsHead() {
  const int64_t freed = queue_.Leave(1);
  return freed + Advance(true);
}

void HeadOfLineMvcc::Settle(int64_t freed) {
  if (freed == 0) return;
  slots_.Free(freed);
  callbacks_.Run();
}

}  // namespace shale
