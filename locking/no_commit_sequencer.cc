#include "shale/locking/no_commit_sequencer.h"

#include <algorithm>

#include "absl/time/time.h"

namespace shale {

void NoCommitSequencer::Assign(absl::Span<const absl::string_view>,
                               absl::AnyInvocable<void(Timestamp)> done) {
  // A clock before 1970 has no timestamps.
  const Timestamp now =
      std::max(kMinTimestamp, absl::ToUnixMicros(clock_.Now()));
  RaiseFloor(now);
  done(now);
}

void NoCommitSequencer::RaiseFloor(Timestamp floor) {
  Timestamp known = floor_.load(std::memory_order_relaxed);
  while (known < floor && !floor_.compare_exchange_weak(
                              known, floor, std::memory_order_relaxed)) {
  }
}

}  // namespace shale
