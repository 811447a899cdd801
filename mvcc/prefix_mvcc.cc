#include "shale/mvcc/prefix_mvcc.h"

#include "absl/synchronization/mutex.h"
#include "shale/mvcc/futex.h"

namespace shale {

bool PrefixMvcc::WaitVisibleUnless(WriteRange range, PendingWait& wait) {
  for (bool parked = false; !IsVisible(range.last); parked = true) {
    const uint32_t round =
        round_.fetch_or(kParked, std::memory_order_acq_rel) | kParked;
    if (IsVisible(range.last)) return true;
    if (waits_ended_.load(std::memory_order_relaxed) ||
        wait.given_up.load(std::memory_order_relaxed)) {
      return false;
    }
    if (!parked) waits_.fetch_add(1, std::memory_order_relaxed);
    FutexWait(round_, round);
    wakes_.fetch_add(1, std::memory_order_relaxed);
  }
  return true;
}

bool PrefixMvcc::WaitBarrierUnless(PendingWait& wait) {
  WriteNumber begun;
  {
    absl::MutexLock lock(&mu_);
    begun = queue_.last_minted();
    if (!IsVisible(begun)) ++barriers_;
  }
  return WaitVisibleUnless({begun, begun}, wait);
}

void PrefixMvcc::GiveUp(PendingWait& wait) {
  wait.given_up.store(true, std::memory_order_release);
  WakeAll();
}

void PrefixMvcc::EndWaits() {
  waits_ended_.store(true, std::memory_order_relaxed);
  WakeAll();
}

int64_t PrefixMvcc::Advance(bool) {
  int64_t finished = 0;
  while (finished < queue_.size() && queue_.IsFinished(queue_.at(finished))) {
    ++finished;
  }
  return finished > 0 ? queue_.Leave(finished) : 0;
}

void PrefixMvcc::WakeAll() {
  uint32_t round = round_.load(std::memory_order_relaxed);
  while (!round_.compare_exchange_weak(round, (round & ~kParked) + kNextRound,
                                       std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
  }
  if (round & kParked) FutexWakeAll(round_);
}

}  // namespace shale
