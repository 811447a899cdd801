#ifndef SHALE_MVCC_WRITE_SLOTS_H_
#define SHALE_MVCC_WRITE_SLOTS_H_

#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "shale/mvcc/ordered_callbacks.h"

namespace shale {

// Bounds how many writes are begun and not yet visible, and serves those that
// must wait in order. A slot is free, reserved or in use.
//
// Thread-safe. Callbacks that had to wait go to `callbacks`, which must outlive
// it; whoever calls Free() or CancelReservation() then calls its Run().
class WriteSlots {
 public:
  WriteSlots(int64_t slots, OrderedCallbacks& callbacks);

  // Reserves a slot and runs `granted`: here and now if one is free.
  void Reserve(absl::AnyInvocable<void()> granted) ABSL_LOCKS_EXCLUDED(mu_);
  // The same if one is free; else false. Overtakes nobody who waits.
  bool TryReserve() ABSL_LOCKS_EXCLUDED(mu_);
  void CancelReservation() ABSL_LOCKS_EXCLUDED(mu_);

  // A reserved slot comes into use. REQUIRES: there is one.
  void Use() ABSL_LOCKS_EXCLUDED(mu_);
  // `count` slots in use are free again.
  void Free(int64_t count) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  bool TryReserveLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void FreeLocked(int64_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  OrderedCallbacks& callbacks_;
  // Order: the Mvcc's own lock -> mu_ -> that of callbacks_.
  absl::Mutex mu_;
  int64_t free_ ABSL_GUARDED_BY(mu_);  // Zero while somebody waits.
  int64_t reserved_ ABSL_GUARDED_BY(mu_) = 0;
  std::deque<absl::AnyInvocable<void()>> waiting_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_MVCC_WRITE_SLOTS_H_
