#ifndef SHALE_MVCC_WRITE_QUEUE_H_
#define SHALE_MVCC_WRITE_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/ordered_callbacks.h"
#include "shale/mvcc/stuck_write.h"
#include "shale/mvcc/write_slots.h"

namespace shale {

// A write that is begun and not yet visible, or a barrier behind such writes:
// an entry without numbers, which is finished from the start.
struct QueuedWrite {
  bool IsBarrier() const { return range.last < range.first; }

  WriteRange range;
  LogPosition durable_at;
  absl::Duration begun_at;  // On the monotonic clock. A barrier has none.
  bool inserted = false;
  int parked = 0;  // Threads that wait to take it off themselves.
  absl::InlinedVector<absl::AnyInvocable<void()>, 1> on_visible;
};

// The unfinished writes of the variants that keep them in a queue under one
// lock (head_of_line, prefix), which differ in who takes a write off it, and
// when.
//
// Not thread-safe: that lock guards it. `read_point`, whose moves are release
// stores here, is loaded without.
class WriteQueue {
 public:
  // All outlive it.
  WriteQueue(const std::string& owner, std::atomic<uint64_t>& read_point,
             WriteSlots& slots, OrderedCallbacks& callbacks)
      : owner_(owner),
        read_point_(read_point),
        slots_(slots),
        callbacks_(callbacks) {}

  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append,
      absl::Duration now);
  void MarkInserted(WriteRange range);
  void MarkDurable(LogPosition position);
  void Complete(WriteRange range);
  absl::Status AdvanceTo(WriteNumber number);

  bool empty() const { return writes_.empty(); }
  int64_t size() const { return static_cast<int64_t>(writes_.size()); }
  // The `i`th oldest. REQUIRES: 0 <= i < size().
  const QueuedWrite& at(int64_t i) const {
    return writes_[static_cast<size_t>(i)];
  }
  bool IsFinished(const QueuedWrite& write) const {
    return write.inserted && write.durable_at <= durable_;
  }
  // The write that `number` belongs to, which is minted and not yet visible.
  QueuedWrite& Find(WriteNumber number);

  // A barrier behind what was begun, with one thread parked for it, to which
  // the reference is good until that takes it off or gives it up.
  QueuedWrite& AddBarrier();
  // Its thread is gone: it leaves at once, or as soon as it is the head.
  void GiveUpBarrier(QueuedWrite& barrier);

  // Takes the `count` oldest entries off, all finished: moves the read point
  // once for all of them and adds their callbacks. Returns how many were
  // writes, whose slots are for the caller to free. REQUIRES: count >= 1.
  int64_t Leave(int64_t count);

  WriteNumber last_minted() const { return last_minted_; }
  LogPosition durable() const { return durable_; }
  int64_t advances() const { return advances_; }
  // Those begun at least `age` before `now`.
  std::vector<StuckWrite> Stuck(absl::Duration age, absl::Duration now) const;

 private:
  WriteNumber ReadPoint() const {
    return {read_point_.load(std::memory_order_relaxed)};
  }
  // Marks the write of exactly `range` as inserted.
  QueuedWrite& Mark(WriteRange range);

  const std::string& owner_;
  std::atomic<uint64_t>& read_point_;
  WriteSlots& slots_;
  OrderedCallbacks& callbacks_;

  // Ascending and without gaps: the first write begins right above the read
  // point, the last ends at last_minted_. Entries come and go at the ends only,
  // so that the others stay where they are.
  std::deque<QueuedWrite> writes_;
  WriteNumber last_minted_;
  LogPosition durable_;
  int64_t advances_ = 0;
};

}  // namespace shale

#endif  // SHALE_MVCC_WRITE_QUEUE_H_
