#ifndef SHALE_LOCKING_NO_COMMIT_SEQUENCER_H_
#define SHALE_LOCKING_NO_COMMIT_SEQUENCER_H_

#include <atomic>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/cell/timestamp.h"
#include "shale/locking/row_commit_sequencer.h"

namespace shale {

// The plain wall clock, read once a commit: two commits of a row may share a
// timestamp or have theirs in the wrong order, and then write numbers alone
// tell which is newer. Never waits, allocates nothing. It keeps the floor, for
// the day when the region is opened with a variant that sequences, but doesn't
// heed it.
class NoCommitSequencer final : public RowCommitSequencer {
 public:
  explicit NoCommitSequencer(Clock& clock) : clock_(clock) {}

  bool needs_exclusive_locks() const override { return false; }
  bool waits() const override { return false; }
  void Assign(absl::Span<const absl::string_view> rows,
              absl::AnyInvocable<void(Timestamp)> done) override;
  void Raise(absl::Span<const absl::string_view>,
             Timestamp timestamp) override {
    RaiseFloor(timestamp);
  }
  Timestamp floor() const override {
    return floor_.load(std::memory_order_relaxed);
  }
  void RaiseFloor(Timestamp floor) override;
  RowCommitSequencerStats stats() const override;
  absl::string_view name() const override { return "off"; }

 private:
  Clock& clock_;
  // Only rises. Relaxed, as it publishes nothing but itself: who must see a
  // commit's timestamp in it has seen that commit through some lock.
  std::atomic<Timestamp> floor_{kMinTimestamp};
};

}  // namespace shale

#endif  // SHALE_LOCKING_NO_COMMIT_SEQUENCER_H_
