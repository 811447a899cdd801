#include "shale/mvcc/head_of_line_mvcc.h"

namespace shale {

bool HeadOfLineMvcc::WaitVisibleUnless(WriteRange range, PendingWait& wait) {
  if (IsVisible(range.last)) return true;
  int64_t freed = 0;
  {
    absl::MutexLock lock(&mu_);
    if (IsVisible(range.last)) return true;
    if (IsOver(wait)) return false;
    ++queue_.Find(range.last).parked;
    waits_.fetch_add(1, std::memory_order_relaxed);
    // Others that wait for the same write may be first to take it off.
    while (!IsVisible(range.last)) {
      const QueuedWrite& head = queue_.at(0);
      if (range.last <= head.range.last && queue_.IsFinished(head)) {
        freed = LeaveAsHead();
      } else if (IsOver(wait)) {
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

bool HeadOfLineMvcc::WaitBarrierUnless(PendingWait& wait) {
  int64_t freed = 0;
  {
    absl::MutexLock lock(&mu_);
    if (queue_.empty()) return true;
    const WriteNumber begun = queue_.last_minted();
    if (!IsVisible(begun)) ++barriers_;
    if (IsOver(wait)) return IsVisible(begun);
    QueuedWrite& barrier = queue_.AddBarrier();
    waits_.fetch_add(1, std::memory_order_relaxed);
    while (&queue_.at(0) != &barrier) {
      if (IsOver(wait)) {
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

void HeadOfLineMvcc::GiveUp(PendingWait& wait) {
  absl::MutexLock lock(&mu_);
  wait.given_up.store(true, std::memory_order_release);
  turn_.SignalAll();
}

void HeadOfLineMvcc::EndWaits() {
  absl::MutexLock lock(&mu_);
  waits_ended_ = true;
  turn_.SignalAll();
}

int64_t HeadOfLineMvcc::Advance(bool head_marked) {
  int64_t freed = 0;
  bool turn_moved = head_marked;
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

bool HeadOfLineMvcc::IsOver(const PendingWait& wait) const {
  return waits_ended_ || wait.given_up.load(std::memory_order_acquire);
}

void HeadOfLineMvcc::Park() {
  turn_.Wait(&mu_);
  wakes_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace shale
