#ifndef SHALE_LOCKING_TICK_COMMIT_SEQUENCER_H_
#define SHALE_LOCKING_TICK_COMMIT_SEQUENCER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/timestamp.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/tick_rows.h"

namespace shale {

// At most one commit of a row in a tick of the monotonic clock: the rows of all
// commits of the current tick are remembered, and a commit with one of these
// waits for a later tick. Commits of other rows share the tick and never wait.
// A timestamp is the wall clock's, or one more than the largest of the earlier
// ticks where the clock is not above that.
//
//   - Rows are remembered in shards by their hash, each of which forgets its
//     rows when it first sees a later tick. A commit holds the locks of all its
//     shards while it looks at them and at the clock, so it sees and changes
//     one tick, all or nothing: what it finds taken keeps none of its rows.
//   - Commits that wait stand in one queue, and one timer is set for the edge
//     of the tick that the first of them may have. There each, in the order of
//     arrival, tries again. So of k commits of one row that come at once the
//     last one has waited for k - 1 ticks, and a row has a commit in each tick.
//     The next timer is set before any of them is told, which may take long.
//
// After HBASE-25975, whose ticks were those of the wall clock and whose waits
// were sleeps.
class TickCommitSequencer final : public RowCommitSequencer {
 public:
  // REQUIRES: tick > 0.
  TickCommitSequencer(Clock& clock, Executor& executor,
                      absl::Duration tick = absl::Milliseconds(1));
  // Blocks while the timer's task ends. REQUIRES: nothing waits.
  ~TickCommitSequencer() override;

  bool needs_exclusive_locks() const override { return true; }
  bool waits() const override { return true; }
  void Assign(absl::Span<const absl::string_view> rows,
              absl::AnyInvocable<void(Timestamp)> done) override;
  void Raise(absl::Span<const absl::string_view> rows,
             Timestamp timestamp) override;
  Timestamp floor() const override;
  void RaiseFloor(Timestamp floor) override;
  RowCommitSequencerStats stats() const override;
  absl::string_view name() const override { return "tick"; }

 private:
  struct alignas(ABSL_CACHELINE_SIZE) Shard {
    void BeginTick(int64_t tick) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
    // What is given from here on is above `timestamp`, in this tick too.
    void Raise(Timestamp timestamp) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

    // Leaves. Several at once in ascending order.
    mutable absl::Mutex mu;
    TickRows rows ABSL_GUARDED_BY(mu);
    // The largest timestamp given to a row of this shard.
    Timestamp newest ABSL_GUARDED_BY(mu) = kMinTimestamp;
    // The least for the current tick: above those of all earlier ones, and of
    // Raise().
    Timestamp least ABSL_GUARDED_BY(mu) = kMinTimestamp;
  };
  struct Waiter {
    absl::Span<const absl::string_view> rows;
    absl::AnyInvocable<void(Timestamp)> done;
    Timestamp timestamp = kMinTimestamp;  // Once it has one.
  };
  // As many as LockedShards has bits. A large commit holds the locks of all:
  // more than 40 would be too many for abseil to check their order, and 64 for
  // the thread sanitizer to run at all.
  using Shards = std::array<Shard, 32>;
  class LockedShards;

  static constexpr int64_t kNoTick = std::numeric_limits<int64_t>::max();

  // The timestamp of a commit in the current tick, which then has its rows; or
  // nothing, nothing being changed, if it has one of them already. Then, says
  // `next_tick`, the commit may try again.
  std::optional<Timestamp> TryAssign(absl::Span<const absl::string_view> rows,
                                     int64_t& next_tick);
  // For those that wait.
  void SetTimer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void OnTimer() ABSL_LOCKS_EXCLUDED(mu_);

  Clock& clock_;
  Executor& executor_;
  const absl::Duration tick_;
  Shards shards_;

  // An executor's lock is taken under it.
  mutable absl::Mutex mu_;
  std::list<Waiter> waiting_ ABSL_GUARDED_BY(mu_);
  // When the first of them may try again.
  int64_t next_tick_ ABSL_GUARDED_BY(mu_) = kNoTick;
  // Or its task is at those that wait, and will see to those that come.
  bool timer_set_ ABSL_GUARDED_BY(mu_) = false;
  int64_t timer_tasks_ ABSL_GUARDED_BY(mu_) = 0;  // Set or running.
  int64_t yields_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_LOCKING_TICK_COMMIT_SEQUENCER_H_
