#ifndef SHALE_LOCKING_MONOTONIC_COMMIT_SEQUENCER_H_
#define SHALE_LOCKING_MONOTONIC_COMMIT_SEQUENCER_H_

#include <array>
#include <atomic>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/cell/timestamp.h"
#include "shale/locking/row_commit_sequencer.h"

namespace shale {

// The wall clock, or one more than the row's last timestamp where that is not
// behind the clock. Nothing ever waits: a row that is changed faster than the
// clock counts runs ahead of it, one microsecond for each commit, and the clock
// catches up when it may.
//
// Instead of a row's last timestamp it keeps that of the row's slot, the
// largest that any row of the slot was given; a row's slot is by its hash. So
// there is nothing to be found, forgotten or allocated, and a row of which
// nothing was heard for long is safe when the clock steps back. The price: two
// rows of one slot that are changed in the same microsecond get two timestamps
// where one would do. See docs/decisions/0008-timestamps-by-slot.md.
class MonotonicCommitSequencer final : public RowCommitSequencer {
 public:
  explicit MonotonicCommitSequencer(Clock& clock) : clock_(clock) {}

  bool needs_exclusive_locks() const override { return true; }
  bool waits() const override { return false; }
  void Assign(absl::Span<const absl::string_view> rows,
              absl::AnyInvocable<void(Timestamp)> done) override;
  void Raise(absl::Span<const absl::string_view> rows,
             Timestamp timestamp) override;
  Timestamp floor() const override;
  void RaiseFloor(Timestamp floor) override;
  RowCommitSequencerStats stats() const override;
  absl::string_view name() const override { return "monotonic"; }

 private:
  // The largest timestamp given to a row of this slot. Only rises. Relaxed, as
  // it publishes nothing but itself: two commits of one row meet in the row's
  // lock, and floor() in a lock that the commits it must cover have held.
  using Slot = std::atomic<Timestamp>;

  Slot& SlotOf(absl::string_view row);

  Clock& clock_;
  std::array<Slot, 1024> slots_ = {};
};

}  // namespace shale

#endif  // SHALE_LOCKING_MONOTONIC_COMMIT_SEQUENCER_H_
