#include "shale/mvcc/write_slots.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {

WriteSlots::WriteSlots(int64_t slots, OrderedCallbacks& callbacks)
    : callbacks_(callbacks), free_(slots) {
  SHALE_CHECK(slots >= 1 && slots <= 1 << 20) << "slots " << slots;
}

void WriteSlots::Reserve(absl::AnyInvocable<void()> granted) {
  {
    absl::MutexLock lock(&mu_);
    if (!TryReserveLocked()) {
      waiting_.push_back(std::move(granted));
      return;
    }
  }
  granted();
}

bool WriteSlots::TryReserve() {
  absl::MutexLock lock(&mu_);
  return TryReserveLocked();
}

bool WriteSlots::TryReserveLocked() {
  if (free_ == 0) return false;
  --free_;
  ++reserved_;
  return true;
}

void WriteSlots::CancelReservation() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(reserved_ > 0) << "no slot is reserved";
  --reserved_;
  FreeLocked(1);
}

void WriteSlots::Use() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(reserved_ > 0) << "no slot is reserved";
  --reserved_;
}

void WriteSlots::Free(int64_t count) {
  absl::MutexLock lock(&mu_);
  FreeLocked(count);
}

void WriteSlots::FreeLocked(int64_t count) {
  free_ += count;
  while (free_ > 0 && !waiting_.empty()) {
    --free_;
    ++reserved_;
    callbacks_.Add(std::move(waiting_.front()));
    waiting_.pop_front();
  }
}

}  // namespace shale
