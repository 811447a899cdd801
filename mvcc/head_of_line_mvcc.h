#ifndef SHALE_MVCC_HEAD_OF_LINE_MVCC_H_
#define SHALE_MVCC_HEAD_OF_LINE_MVCC_H_

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

// As HBase did it between HBASE-8763 and HBASE-15213, to be measured against: a
// write leaves the queue only as its head, one at a time, and a thread that
// waits for its write takes it off itself. It loops on one condition variable
// until its write is the head and finished; only then the read point moves, by
// that one write, and everybody is woken to see whose turn it is now. So N
// finished writes whose threads are parked cost up to N^2/2 wake-ups.
//
// A barrier of a thread that may park is an entry of its own in the queue: it
// leaves through that thread, as the head, and whatever was begun after it
// waits behind it. An increment that needs a barrier thereby doubles the queue.
//
// A write that no thread is parked for (asynchronous callers) leaves through
// whichever thread finds it finished at the head. To wait on a condition
// variable is the point of this variant; nothing else in Shale does.
class HeadOfLineMvcc final : public Mvcc {
 public:
  HeadOfLineMvcc(const MvccOptions& options, Clock& clock);

  void Reserve(absl::AnyInvocable<void()> granted) override;
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
  bool WaitVisibleUnless(WriteRange range,
                         const std::atomic<bool>& given_up) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void RecheckWaits() override ABSL_LOCKS_EXCLUDED(mu_);
  bool WaitBarrierUnless(const std::atomic<bool>& given_up) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void EndWaits() override ABSL_LOCKS_EXCLUDED(mu_);
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

 private:
  bool IsVisible(WriteNumber number) const { return number <= ReadPoint(); }
  // Lets finished writes that nobody is parked for leave from the head, one at
  // a time, and wakes everybody if any left or `turn_moved`: if it may be a
  // parked thread's turn now. Returns how many slots are free now.
  // Settle(that) follows, without the lock.
  int64_t Advance(bool turn_moved) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // The head leaves through its own thread, and with it what Advance lets go.
  int64_t LeaveAsHead() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Frees so many slots and runs what now may run.
  void Settle(int64_t freed) ABSL_LOCKS_EXCLUDED(mu_);

  // Whether a wait must not go on although what it is for hasn't come.
  bool IsOver(const std::atomic<bool>& given_up) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Waits until somebody has been woken, whoever is meant.
  void Park() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string owner_;
  Clock& clock_;

  OrderedCallbacks callbacks_;  // Added to under mu_, which fixes the order.
  WriteSlots slots_;
  // Moved only under mu_. The release stores in WriteQueue pair with the
  // acquire loads here and in pins_: who sees a read point also sees the cells
  // that writers inserted before they marked them.
  std::atomic<uint64_t> read_point_{0};
  ReadPinTable pins_;

  // Order: row locks -> updates lock -> mu_ -> the log's lock (in `append`),
  // and mu_ -> the locks of slots_ and callbacks_.
  mutable absl::Mutex mu_;
  WriteQueue queue_ ABSL_GUARDED_BY(mu_);
  int64_t barriers_ ABSL_GUARDED_BY(mu_) = 0;

  bool waits_ended_ ABSL_GUARDED_BY(mu_) = false;
  int64_t waits_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t wakes_ ABSL_GUARDED_BY(mu_) = 0;
  // With mu_. All parked threads, whichever their write.
  absl::CondVar turn_;
};

}  // namespace shale

#endif  // SHALE_MVCC_HEAD_OF_LINE_MVCC_H_
