#ifndef SHALE_MVCC_MVCC_H_
#define SHALE_MVCC_MVCC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/read_pin.h"

namespace shale {

// What Begin's callback did with the write's log entry.
struct Appended {
  // The write is durable enough once the log is durable up to here; kLogStart
  // if its durability level doesn't wait for the log.
  LogPosition durable_at;
};

// A write that was begun: its numbers, and what Appended said of it.
struct BeginResult {
  WriteRange range;
  LogPosition durable_at;
};

// Counts since the object was made: the causes behind a variant's speed.
struct MvccStats {
  int64_t waits = 0;     // Waits, for a write or barrier, that parked a thread.
  int64_t wakes = 0;     // Times such a thread was woken, in vain or not.
  int64_t advances = 0;  // Times the read point moved, by one write or by many.
  int64_t barriers = 0;  // Barriers that found an unfinished write.
};

// Numbers the writes of one region and decides which of them readers see.
//
// Invariants, relied on by region and compaction:
//   I1. Begin() runs its callbacks one at a time in ascending number order, so
//       a callback that appends to the log makes log order equal number order.
//   I2. The read point is the largest R such that no number <= R is unfinished.
//       It never goes back.
//   I3. SmallestPinned() never goes back, and no live ReadPin is below it.
//   I4. Callbacks that had to wait run once each, one at a time, outside any
//       lock; those for visibility in number order. So whoever registers before
//       it marks its write is called in the order of the writes.
//
// A write finishes when it is both inserted (MarkInserted) and durable as far
// as it asked for (MarkDurable has reached its durable_at); whichever comes
// second finishes it, since a sync may overtake the insert.
//
// A thread that runs waiting callbacks also runs those that other threads made
// ready meanwhile; after some hundreds the next thread that comes with some
// goes on, once the callback at hand is over. So a callback must not block,
// above all not in WaitVisible(); it may call every other method. Callbacks
// that still wait when the object goes are destroyed without being run.
//
// Thread-safe. Must outlive every ReadPin it hands out. A seam: its variants
// (head_of_line, prefix, ring) give the same answers and differ in wake-ups.
class Mvcc {
 public:
  virtual ~Mvcc() = default;

  // Reserves a slot for one later Begin and runs `granted` then: in the calling
  // thread if a slot is free, else in the thread whose write frees one. Waiters
  // are served in order. CancelReservation() gives an unused slot back.
  virtual void Reserve(absl::AnyInvocable<void()> granted) = 0;
  // The same if a slot is free; else false, and nothing is reserved.
  virtual bool TryReserve() = 0;
  virtual void CancelReservation() = 0;

  // Mints `count` consecutive numbers and calls `append(range)` before any
  // later number can be minted. If `append` fails, nothing is minted, the slot
  // stays reserved, and the error is returned unchanged. `append` must not
  // block on I/O nor call back into this object. The durable_at that it returns
  // is no smaller than those before it, or kLogStart. REQUIRES: count >= 1, a
  // reserved slot.
  virtual absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) = 0;

  // The cells of `range` are in the memstore. Once per Begin, with its range.
  virtual void MarkInserted(WriteRange range) = 0;

  // The log is durable up to `position`: finishes every inserted write that
  // waited for no more than that. Going back is ignored. Not from within
  // `append`, nor with a lock held that `append` takes.
  virtual void MarkDurable(LogPosition position) = 0;

  // In place of MarkInserted, and without waiting for durability: for writes
  // whose durable_at is known to be reached or that must become visible
  // regardless.
  virtual void Complete(WriteRange range) = 0;

  // Runs `done` once when `range` is visible; in the calling thread if it is
  // already, else in the thread that moves the read point past it. `range` is
  // any part of what was minted so far, such as one number that a read met.
  virtual void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) = 0;

  // Blocks until `range`, as above, is visible, and returns true; or returns
  // false because EndWaits() was called and it isn't. Meant for the writer's
  // own thread, after MarkInserted: it parks once, until its write is durable
  // and visible, and not at all if that is so already.
  bool WaitVisible(WriteRange range) {
    PendingWait wait;
    return WaitVisibleUnless(range, wait);
  }
  // The same, but also returns false once `wait`, which is the calling thread's
  // and outlives the call, is given up.
  virtual bool WaitVisibleUnless(WriteRange range, PendingWait& wait) = 0;

  // Barrier() below for a thread that may park: blocks until every write begun
  // before this call is visible, and returns true; or returns false, with those
  // not visible, as WaitVisibleUnless does.
  virtual bool WaitBarrierUnless(PendingWait& wait) = 0;

  // Ends the present and later waits of `wait` that would park, with false.
  // Idempotent.
  virtual void GiveUp(PendingWait& wait) = 0;

  // Ends every present and later wait that would park, with false: the
  // log is poisoned and nothing more will become durable. Idempotent. Writes
  // may still become visible afterwards; nobody blocks for that.
  virtual void EndWaits() = 0;

  // Runs `done` when every write begun before this call is visible; later
  // writes do not delay it. Needs no slot.
  virtual void Barrier(absl::AnyInvocable<void()> done) = 0;

  // Everything up to here is visible.
  virtual WriteNumber ReadPoint() const = 0;
  // The largest number minted so far.
  virtual WriteNumber WritePoint() const = 0;

  // Moves both points forward to at least `number`, as at open and after a bulk
  // load; smaller numbers change nothing. Fails with FAILED_PRECONDITION,
  // having changed nothing, while a write is not visible: one that is finished
  // may still not be, until the thread that moves the read point gets to it.
  virtual absl::Status AdvanceTo(WriteNumber number) = 0;

  // Takes the read point and registers it in one step, so that no compaction
  // can call SmallestPinned() between the two.
  virtual ReadPin Pin() = 0;

  // The oldest view still readable: what flush and compaction must preserve.
  // The read point if nothing is pinned.
  virtual WriteNumber SmallestPinned() const = 0;

  // One text for each write that was begun at least `age` ago and is not yet
  // visible, oldest first: owner, numbers, age and what it waits for. For
  // StuckWriteWatchdog; takes no lock while it formats.
  virtual std::vector<std::string> StuckWrites(absl::Duration age) const = 0;

  virtual MvccStats stats() const = 0;

  // Of the variant: the value of --//mvcc:completion. Valid for ever.
  virtual absl::string_view name() const = 0;
};

// Of NewMvcc.
struct MvccOptions {
  // Writes that may be begun and not yet visible. Range [1, 1 << 20].
  int64_t slots = 1 << 14;
  // Whose writes they are, such as the region's name: for texts only.
  std::string owner = "region";
};

// The variant bound by --//mvcc:completion. `clock` must outlive it.
std::unique_ptr<Mvcc> NewMvcc(const MvccOptions& options, Clock& clock);

}  // namespace shale

#endif  // SHALE_MVCC_MVCC_H_
