// What was appended to the log and is not yet durable.
#ifndef SHALE_WAL_LOG_BUFFER_H_
#define SHALE_WAL_LOG_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/admission_queue.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/log_position.h"
#include "shale/wal/pending_record.h"

namespace shale {

// Gives every record its position, keeps it until it is durable, in order, and
// bounds what that takes: room is reserved first and given back with the
// record.
//
//   released | written to the current segment | still to be written |
//            durable                          Take()                appended()
//
// Thread-safe; Take and Rewind are for one thread.
class LogBuffer {
 public:
  using Granted = absl::AnyInvocable<void(absl::Status)>;

  // The first record begins at `start`. `why_stuck`, run with no lock held,
  // says why nothing becomes durable; `clock` is the executor's, and both
  // outlive this.
  LogBuffer(LogPosition start, int64_t capacity_bytes, Clock& clock,
            Executor& executor, absl::AnyInvocable<std::string()> why_stuck);

  // As the methods of Wal. Waiters are served in order. A record that is larger
  // than the buffer is let in when it is the only one.
  void Reserve(int64_t payload_bytes, absl::Duration deadline, Granted granted);
  void CancelReservation(int64_t payload_bytes);

  // Adds a record and gives its position. `added` runs with where it begins
  // before the engine, or anybody else, can see it.
  absl::StatusOr<LogPosition> Append(
      std::string record, int64_t reserved_bytes,
      absl::FunctionRef<void(LogPosition start)> added)
      ABSL_LOCKS_EXCLUDED(mu_);
  // The same for a record of the log itself: needs no room and is never
  // refused.
  LogPosition AppendMarker(std::string record) ABSL_LOCKS_EXCLUDED(mu_);

  // Fails appends and reservations from here on, and those that wait, with
  // `why`. The first reason stays.
  void Refuse(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mu_);

  // Whether somebody waits for room.
  bool crowded() const { return room_.HasWaiters(); }
  LogPosition appended() const ABSL_LOCKS_EXCLUDED(mu_);

  // The next records to be written, `max_bytes` at most unless the first alone
  // is larger. They stay valid until they are released.
  std::vector<PendingRecord*> Take(size_t max_bytes) ABSL_LOCKS_EXCLUDED(mu_);
  // All records behind `durable` are to be written again; the others are
  // dropped.
  void Rewind(LogPosition durable) ABSL_LOCKS_EXCLUDED(mu_);

  // Drops the records up to `durable` and lets waiters in. How many records
  // those were. REQUIRES: Take has given them.
  int64_t Release(LogPosition durable) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  LogPosition Push(std::string record) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // Bytes of `records_` and of reservations not yet used.
  AdmissionQueue room_;

  // Order: mu_ -> whatever `added` takes, a leaf; and the lock of room_.
  mutable absl::Mutex mu_;
  LogPosition appended_ ABSL_GUARDED_BY(mu_);
  // References to its elements stay valid: it changes at its ends only.
  std::deque<PendingRecord> records_ ABSL_GUARDED_BY(mu_);
  size_t taken_ ABSL_GUARDED_BY(mu_) = 0;
  absl::Status refusal_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_BUFFER_H_
