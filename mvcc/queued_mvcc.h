#ifndef SHALE_MVCC_QUEUED_MVCC_H_
#define SHALE_MVCC_QUEUED_MVCC_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/ordered_callbacks.h"
#include "shale/mvcc/read_pin_table.h"
#include "shale/mvcc/write_queue.h"
#include "shale/mvcc/write_slots.h"

namespace shale {

// What the variants that keep their writes in a queue under one lock have in
// common. They differ in when writes leave it, and in how threads are parked
// and woken.
class QueuedMvcc : public Mvcc {
 public:
  void Reserve(absl::AnyInvocable<void()> granted) override;
  bool TryReserve() override { return slots_.TryReserve(); }
  void CancelReservation() override;
  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void MarkInserted(WriteRange range) override ABSL_LOCKS_EXCLUDED(mu_);
  void MarkDurable(LogPosition position) override ABSL_LOCKS_EXCLUDED(mu_);
  void Complete(WriteRange range) override ABSL_LOCKS_EXCLUDED(mu_);
  void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void Barrier(absl::AnyInvocable<void()> done) override
      ABSL_LOCKS_EXCLUDED(mu_);
  WriteNumber ReadPoint() const override;
  WriteNumber WritePoint() const override ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status AdvanceTo(WriteNumber number) override ABSL_LOCKS_EXCLUDED(mu_);
  ReadPin Pin() override { return pins_.Pin(); }
  WriteNumber SmallestPinned() const override { return pins_.SmallestPinned(); }
  std::vector<std::string> StuckWrites(absl::Duration age) const override
      ABSL_LOCKS_EXCLUDED(mu_);
  MvccStats stats() const override ABSL_LOCKS_EXCLUDED(mu_);

 protected:
  QueuedMvcc(const MvccOptions& options, Clock& clock);

  bool IsVisible(WriteNumber number) const { return number <= ReadPoint(); }

  // Takes off the queue what now may leave, after writes were marked, the head
  // among them if `head_marked`. Returns how many slots are free then, for
  // Settle, which follows without the lock.
  virtual int64_t Advance(bool head_marked)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) = 0;
  // Wakes threads after an advance, if Advance doesn't do so itself.
  virtual void WakeAfterAdvance() ABSL_LOCKS_EXCLUDED(mu_) {}
  // Frees so many slots and runs what now may run.
  void Settle(int64_t freed) ABSL_LOCKS_EXCLUDED(mu_);

  // Order: row locks -> updates lock -> mu_ -> the log's lock (in `append`),
  // and mu_ -> the locks of slots_ and callbacks_.
  mutable absl::Mutex mu_;

 private:
  const std::string owner_;
  Clock& clock_;

  OrderedCallbacks callbacks_;  // Added to under mu_, which fixes the order.
  WriteSlots slots_;
  // Moved only under mu_. The release stores in WriteQueue pair with the
  // acquire loads here and in pins_: who sees a read point also sees the cells
  // that writers inserted before they marked them.
  std::atomic<uint64_t> read_point_{0};
  ReadPinTable pins_;

 protected:
  WriteQueue queue_ ABSL_GUARDED_BY(mu_);
  int64_t barriers_ ABSL_GUARDED_BY(mu_) = 0;
  // Mere counters: they order nothing and pair with nothing.
  std::atomic<int64_t> waits_{0};
  std::atomic<int64_t> wakes_{0};
};

}  // namespace shale

#endif  // SHALE_MVCC_QUEUED_MVCC_H_
