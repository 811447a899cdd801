#ifndef SHALE_MVCC_PREFIX_MVCC_H_
#define SHALE_MVCC_PREFIX_MVCC_H_

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

// Marks a write first and looks afterwards: whoever finishes the oldest
// unfinished write takes the whole finished prefix off the queue, publishes the
// read point once for all of it, and wakes all waiters in one round. So N
// writes that finish in reverse order cost N wake-ups, not N^2: HBASE-15213,
// which repaired head_of_line. What it left: waiters share one monitor, so each
// round also wakes those whose turn it isn't (HBASE-25442).
class PrefixMvcc final : public Mvcc {
 public:
  PrefixMvcc(const MvccOptions& options, Clock& clock);

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
                         const std::atomic<bool>& given_up) override;
  void RecheckWaits() override;
  bool WaitBarrierUnless(const std::atomic<bool>& given_up) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void EndWaits() override;
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
  // Lets the finished prefix leave the queue; returns how many writes that
  // were. Settle(that) follows, without the lock.
  int64_t Advance() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Frees the slots of `advanced` writes, runs what now may run and wakes all
  // who wait.
  void Settle(int64_t advanced) ABSL_LOCKS_EXCLUDED(mu_);
  void WakeAll();

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

  // The monitor of all waiters: changes, with release, after every move of the
  // read point and after waits_ended_ or a waiter's given_up is set, and then
  // they are woken. A waiter loads it (acquire) before it looks at those three,
  // and parks only while it has not changed since, so it misses no round.
  std::atomic<uint32_t> round_{0};
  // Set once. Relaxed: ordered by round_.
  std::atomic<bool> waits_ended_{false};

  // Mere counters: they order nothing and pair with nothing.
  std::atomic<int64_t> waits_{0};
  std::atomic<int64_t> wakes_{0};
};

}  // namespace shale

#endif  // SHALE_MVCC_PREFIX_MVCC_H_
