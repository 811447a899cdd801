#include "shale/locking/monotonic_commit_sequencer.h"

#include <algorithm>

#include "absl/hash/hash.h"
#include "shale/base/raise_to.h"
#include "shale/cell/wall_timestamp.h"

namespace shale {

MonotonicCommitSequencer::Slot& MonotonicCommitSequencer::SlotOf(
    absl::string_view row) {
  return slots_[absl::HashOf(row) % slots_.size()];
}

void MonotonicCommitSequencer::Assign(
    absl::Span<const absl::string_view> rows,
    absl::AnyInvocable<void(Timestamp)> done) {
  Timestamp timestamp = WallTimestamp(clock_);
  for (absl::string_view row : rows) {
    timestamp = std::max(
        timestamp, TimestampAfter(SlotOf(row).load(std::memory_order_relaxed)));
  }
  // Meanwhile other rows may raise the slots, but none of these: they are held.
  Raise(rows, timestamp);
  done(timestamp);
}

void MonotonicCommitSequencer::Raise(absl::Span<const absl::string_view> rows,
                                     Timestamp timestamp) {
  for (absl::string_view row : rows) RaiseTo(SlotOf(row), timestamp);
}

Timestamp MonotonicCommitSequencer::floor() const {
  Timestamp floor = kMinTimestamp;
  for (const Slot& slot : slots_) {
    floor = std::max(floor, slot.load(std::memory_order_relaxed));
  }
  return floor;
}

void MonotonicCommitSequencer::RaiseFloor(Timestamp floor) {
  for (Slot& slot : slots_) RaiseTo(slot, floor);
}

RowCommitSequencerStats MonotonicCommitSequencer::stats() const {
  return {.run_ahead = AheadOfWall(floor(), clock_)};
}

}  // namespace shale
