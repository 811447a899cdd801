#include "shale/locking/no_commit_sequencer.h"

#include "shale/locking/wall_timestamp.h"

namespace shale {

void NoCommitSequencer::Assign(absl::Span<const absl::string_view>,
                               absl::AnyInvocable<void(Timestamp)> done) {
  const Timestamp now = WallTimestamp(clock_);
  RaiseFloor(now);
  done(now);
}

void NoCommitSequencer::RaiseFloor(Timestamp floor) {
  Timestamp known = floor_.load(std::memory_order_relaxed);
  while (known < floor && !floor_.compare_exchange_weak(
                              known, floor, std::memory_order_relaxed)) {
  }
}

RowCommitSequencerStats NoCommitSequencer::stats() const {
  return {.run_ahead = AheadOfWall(floor(), clock_)};
}

}  // namespace shale
