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
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/read_pin.h"

namespace shale {

// What Begin's callback did with the write's log entry.
struct Appended {
  // The write is durable enough once the log is durable up to here; kLogStart
  // if its durability level doesn't wait for the log.
  LogPosition durable_at;
};

struct BeginResult {
  WriteRange range;
  LogPosition durable_at;
};

// Numbers the writes of one region and decides which of them readers see.
//
// Invariants, relied on by region and compaction:
//   I1. Begin() runs its callbacks one at a time in ascending number order, so a
//       callback that appends to the log makes log order equal number order.
//   I2. The read point is the largest R such that no number <= R is unfinished.
//       It never goes back.
//   I3. SmallestPinned() never goes back, and no live ReadPin is below it.
//   I4. OnVisible callbacks run once each, in number order, outside any lock.
//
// A write finishes when it is both inserted (MarkInserted) and durable as far as
// it asked for (MarkDurable has reached its durable_at); whichever comes second
// finishes it, since a sync may overtake the insert.
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
  virtual void CancelReservation() = 0;

  // Mints `count` consecutive numbers and calls `append(range)` before any later
  // number can be minted. If `append` fails, nothing is minted, the slot stays
  // reserved, and the error is returned unchanged. `append` must not block on
  // I/O nor call back into this object. REQUIRES: count >= 1, a reserved slot.
  virtual absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) = 0;

  // The cells of `range` are in the memstore. Once per Begin.
  virtual void MarkInserted(WriteRange range) = 0;

  // The log is durable up to `position`: finishes every inserted write that
  // waited for no more than that. Going back is ignored.
  virtual void MarkDurable(LogPosition position) = 0;

  // MarkInserted without waiting for durability: for writes whose durable_at is
  // known to be reached or that must become visible regardless.
  virtual void Complete(WriteRange range) = 0;

  // Runs `done` once when `range` is visible; in the calling thread if it is
  // already, else in the thread that moves the read point past it.
  virtual void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) = 0;

  // Blocks until `range` is visible. A writer that needs no wait never parks.
  virtual void WaitVisible(WriteRange range) = 0;

  // Runs `done` when every write begun before this call is visible; later
  // writes do not delay it. Needs no slot.
  virtual void Barrier(absl::AnyInvocable<void()> done) = 0;

  virtual WriteNumber ReadPoint() const = 0;
  // The largest number minted so far.
  virtual WriteNumber WritePoint() const = 0;

  // Moves both points forward to at least `number`, as at open and after a bulk
  // load. Fails with FAILED_PRECONDITION while a write is unfinished; smaller
  // numbers change nothing.
  virtual absl::Status AdvanceTo(WriteNumber number) = 0;

  // Takes the read point and registers it in one step, so that no compaction
  // can call SmallestPinned() between the two.
  virtual ReadPin Pin() = 0;

  // The oldest view still readable: what flush and compaction must preserve.
  // The read point if nothing is pinned.
  virtual WriteNumber SmallestPinned() const = 0;

  // Unfinished writes that are older than `age`: number, owner's text, age and
  // what each waits for. For the stuck-write watchdog; takes no lock while it
  // formats.
  virtual std::vector<std::string> StuckWrites(absl::Duration age) const = 0;
};

struct MvccOptions {
  // Writes that may be begun and not yet visible. Range [1, 1 << 20].
  int64_t slots = 1 << 14;
};

// The variant bound by --//mvcc:completion. `clock` must outlive it.
std::unique_ptr<Mvcc> NewMvcc(const MvccOptions& options, Clock& clock);

}  // namespace shale

#endif  // SHALE_MVCC_MVCC_H_
