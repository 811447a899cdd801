#ifndef SHALE_LOCKING_ROW_COMMIT_SEQUENCER_H_
#define SHALE_LOCKING_ROW_COMMIT_SEQUENCER_H_

#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/timestamp.h"

namespace shale {

// What a sequencer costs its region.
struct RowCommitSequencerStats {
  // Commits that had to wait for a later tick, since the sequencer was made.
  int64_t yields = 0;
  // How far floor() is ahead of the wall clock now: it rises when the clock
  // steps back, and while timestamps are given faster than it runs.
  absl::Duration run_ahead;
};

// Gives each commit of one region the timestamp of its cells, unless the caller
// of the region gave them one, which is never changed.
//
// Variants that sequence (tick, monotonic) promise, for each row and in the
// order of write numbers: timestamps rise strictly, also when the wall clock
// steps back, and across restarts if RaiseFloor() is called with what floor()
// was. They need all writers to hold their rows exclusively. The variant `off`
// is the plain wall clock: it promises nothing of that, and shared row locks
// will do.
//
// Thread-safe. A seam.
class RowCommitSequencer {
 public:
  virtual ~RowCommitSequencer() = default;

  // Whether a commit must hold the locks of its rows exclusively, so that a row
  // has one commit at a time. Otherwise shared ones do.
  virtual bool needs_exclusive_locks() const = 0;

  // Whether Assign may wait; otherwise it calls `done` before it returns.
  virtual bool waits() const = 0;

  // Calls `done` once with the timestamp of a commit that changes `rows`: in
  // the calling thread, before this returns, if nothing is to be waited for,
  // else in a thread of the executor. `rows`, and what they view, stay valid
  // until then. `done` must not block. The caller holds the locks of these rows
  // from before the call until its commit has a write number, and no other
  // lock: the wait may be a tick long.
  virtual void Assign(absl::Span<const absl::string_view> rows,
                      absl::AnyInvocable<void(Timestamp)> done) = 0;

  // For a commit that gives its cells timestamps up to `timestamp`, above what
  // it was assigned: the next ones of `rows` are above that too. Before it has
  // a write number, with the same locks held as for Assign.
  virtual void Raise(absl::Span<const absl::string_view> rows,
                     Timestamp timestamp) = 0;

  // No smaller than any timestamp that a row was given so far, nor than those
  // of Raise() and RaiseFloor(): what a manifest records so that the promise
  // outlives a restart.
  virtual Timestamp floor() const = 0;

  // At open, before the first Assign: timestamps up to `floor` were assigned in
  // an earlier life. A smaller one changes nothing.
  virtual void RaiseFloor(Timestamp floor) = 0;

  virtual RowCommitSequencerStats stats() const = 0;

  // Of the variant: the value of --//locking:commit_sequencer. Valid for ever.
  virtual absl::string_view name() const = 0;
};

// The variant bound by --//locking:commit_sequencer. `clock` and `executor`, on
// the same time, must outlive it.
std::unique_ptr<RowCommitSequencer> NewRowCommitSequencer(Clock& clock,
                                                          Executor& executor);

}  // namespace shale

#endif  // SHALE_LOCKING_ROW_COMMIT_SEQUENCER_H_
