#include "shale/locking/no_commit_sequencer.h"

#include "shale/base/raise_to.h"
#include "shale/cell/wall_timestamp.h"

namespace shale {

void NoCommitSequencer::Assign(absl::Span<const absl::string_view>,
                               absl::AnyInvocable<void(Timestamp)> done) {
  const Timestamp now = WallTimestamp(clock_);
  RaiseFloor(now);
  done(now);
}

void NoCommitSequencer::RaiseFloor(Timestamp floor) { RaiseTo(floor_, floor); }

RowCommitSequencerStats NoCommitSequencer::stats() const {
  return {.run_ahead = AheadOfWall(floor(), clock_)};
}

}  // namespace shale
