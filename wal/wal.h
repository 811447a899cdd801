#ifndef SHALE_WAL_WAL_H_
#define SHALE_WAL_WAL_H_

#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"
#include "shale/wal/log_entry.h"

namespace shale {

enum class SyncLevel {
  kData,  // SYNC_WAL: the data is on the device.
  kFull,  // FSYNC_WAL: and all metadata.
};

// serving -> stalled -> serving, and from either to poisoned, which is final.
struct LogHealth {
  enum class State {
    kServing,
    kStalled,   // Out of space or descriptors; entries are kept, it retries.
    kPoisoned,  // Nothing more is accepted or confirmed.
  };
  State state = State::kServing;
  absl::Status cause;  // The first error; names the file and the errno.
  absl::Time since;    // Wall clock.
};

// Hears of the log's progress. Called on the log's threads, outside its locks,
// positions never going back. Must not block.
class LogListener {
 public:
  virtual ~LogListener() = default;
  // Every entry with a position <= `durable` is durable at level kData.
  virtual void OnDurable(LogPosition durable) = 0;
  // The log's health changed. After kPoisoned no OnDurable follows, and the
  // outcome of every entry above the last one is unknown.
  virtual void OnHealth(const LogHealth& health) = 0;
  // A further segment has become part of the log, so MustFlush() may hold for
  // other regions than before.
  virtual void OnNewSegment() = 0;
};

// The write-ahead log of a host: one order of entries for all its regions,
// made durable in groups. It writes and syncs when somebody asks it to (Sync,
// RequestSync), when room is short, at a roll and at Close, and otherwise not
// by itself.
//
// Invariants:
//   W1. Entries are on disk in the order of Append, and become durable in it:
//       a crash keeps a prefix of what was appended, never less than durable().
//   W2. After a failed write or sync a file is never written or synced again;
//       every entry not yet durable goes, in order, to a new one, and callers
//       see no error.
//   W3. A segment is removed only when every region has flushed past it, oldest
//       first.
//
// Thread-safe. A seam: its engines (blocking, async) give the same answers and
// differ in hand-offs and syncs.
class Wal {
 public:
  virtual ~Wal() = default;

  // Reserves buffer space for an entry whose payload has `payload_bytes`; runs
  // `granted` in the calling thread if there is room, else when there is.
  // Errors: RESOURCE_EXHAUSTED (no room before `deadline`, which is monotonic:
  // says since when the log is stalled, and why), FAILED_PRECONDITION (closed,
  // or poisoned: the first cause), INVALID_ARGUMENT (larger than any record may
  // be). Each grant is used up by one Append or given back by CancelReservation
  // with the same size.
  virtual void Reserve(int64_t payload_bytes, absl::Duration deadline,
                       absl::AnyInvocable<void(absl::Status)> granted) = 0;
  virtual void CancelReservation(int64_t payload_bytes) = 0;

  // Adds the entry to the log, in memory: never blocks on I/O. Registers the
  // region's families as unflushed from here. Fails, with nothing added, only
  // if the log is closed or poisoned. `reserved_bytes` is what Reserve was
  // given for it, at least the payload's size; on success the reservation is
  // used up, on failure it stays. REQUIRES: that reservation.
  virtual absl::StatusOr<LogPosition> Append(const LogEntry& entry,
                                             int64_t reserved_bytes) = 0;

  // Asks that the log become durable up to `position`; OnDurable tells when.
  // For a position that is durable already nothing is synced. REQUIRES:
  // position <= appended().
  virtual void RequestSync(LogPosition position, SyncLevel level) = 0;

  // Runs `done` when the log is durable up to `position` at `level`: at once,
  // in the calling thread, if it is, else on a thread of the log, where it must
  // not block. UNKNOWN if the log is poisoned first. Of entries that were
  // durable at kData in a segment that failed since, kFull promises no more
  // than that. REQUIRES: position <= appended().
  virtual void Sync(LogPosition position, SyncLevel level,
                    absl::AnyInvocable<void(absl::Status)> done) = 0;

  virtual LogPosition appended() const = 0;
  virtual LogPosition durable() const = 0;
  virtual LogHealth health() const = 0;

  // A listener must be removed before it dies; no call to it is running or
  // follows when RemoveListener returns.
  virtual void AddListener(LogListener* listener) = 0;
  virtual void RemoveListener(LogListener* listener) = 0;

  // Begins a new segment behind what has been appended, unless the last one
  // holds no entries yet. On a thread of the log `done` gets
  // FAILED_PRECONDITION if the log is closed or poisoned, or the error that
  // kept the new segment from being made; the log then goes on with the old
  // one.
  virtual void Roll(absl::AnyInvocable<void(absl::Status)> done) = 0;

  // Syncs everything, ends the last segment with a covering marker and closes
  // it. Appends fail from here on. Doesn't wait for space: a stalled log is
  // poisoned. The error is what poisoned the log; every entry not yet durable
  // then has an unknown outcome. Idempotent. Without Close, the destructor
  // makes nothing more durable, and callbacks that wait get UNKNOWN.
  virtual absl::Status Close() = 0;

  // Flush accounting, by region and family bit (LogEntry::families).
  //
  // Call when the memstores of `families` are frozen, with writes held off:
  // entries from here on count as unflushed again. Gives the position up to
  // which the log must be durable before the flush may commit.
  virtual LogPosition StartFlush(const Uuid& region, uint64_t families) = 0;
  // The frozen cells are in committed store files; segments nobody needs go.
  // Until then they are needed, also if the flush failed: the next one takes
  // them too.
  virtual void FinishFlush(const Uuid& region, uint64_t families) = 0;
  // The region was closed with everything flushed, or dropped.
  virtual void ForgetRegion(const Uuid& region) = 0;
  // The first position that `region` still needs for recovery; appended() if
  // none.
  virtual LogPosition OldestNeeded(const Uuid& region) const = 0;
  // Whether there are more segments than WalOptions::max_segments and `region`
  // pins one of the oldest, other than by what it is flushing already.
  virtual bool MustFlush(const Uuid& region) const = 0;
};

}  // namespace shale

#endif  // SHALE_WAL_WAL_H_
