#ifndef SHALE_LOCKING_ROW_LOCK_SHARD_H_
#define SHALE_LOCKING_ROW_LOCK_SHARD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/locking/lock_request.h"
#include "shale/locking/locked_row.h"

namespace shale {

// A part of a RowLockTable: some of its rows, the lock that guards them, and
// one timer for the deadlines of all requests that wait for them. That is set
// for the earliest deadline, and left alone when the request ends before, as
// most do long before: so waiting costs no work on timers, and once in a while
// one goes off and finds nothing to do.
class RowLockShard {
 public:
  // `carry_on` takes the requests that a timer ended, and those that got a row
  // because of it.
  RowLockShard(size_t index, Clock& clock, Executor& timers,
               void (*carry_on)(LockRequestQueue&));
  // Blocks while a timer's task runs. REQUIRES: no rows.
  ~RowLockShard();

  // Order: mu -> the executor's lock. Never two shards at once.
  mutable absl::Mutex mu;

  // Finds or adds the row, for one more pointer to it.
  LockedRow* Reference(absl::string_view row) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  // One pointer less; the row goes with the last.
  void Unreference(LockedRow* row) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

  // The request waits for rows[next], which is of this shard.
  void Wait(std::unique_ptr<LockRequest> request)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  // Gives the row to those that now can have it and moves them to `ready`.
  static void GrantWaiting(LockedRow& row, LockRequestQueue& ready);
  // Ends those that wait here and for which `why` has an error: moves them to
  // `ready`, in the order of arrival, and then those that got a row by that.
  void EndWaiting(
      absl::FunctionRef<absl::Status(const LockRequest&, const LockedRow&)> why,
      LockRequestQueue& ready) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

  // Rows held or waited for.
  size_t rows() const ABSL_SHARED_LOCKS_REQUIRED(mu) { return rows_.size(); }
  // Since it was made: requests that waited, those that a deadline ended, and
  // times that they were overtaken.
  int64_t waits() const ABSL_SHARED_LOCKS_REQUIRED(mu) { return waits_; }
  int64_t timeouts() const ABSL_SHARED_LOCKS_REQUIRED(mu) { return timeouts_; }
  int64_t overtakes() const ABSL_SHARED_LOCKS_REQUIRED(mu);

 private:
  void SetTimer(absl::Duration deadline) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  void OnTimer() ABSL_LOCKS_EXCLUDED(mu);

  const size_t index_;
  Clock& clock_;
  Executor& timers_;
  void (*const carry_on_)(LockRequestQueue&);

  // The keys are views of the rows' own names.
  absl::flat_hash_map<absl::string_view, std::unique_ptr<LockedRow>> rows_
      ABSL_GUARDED_BY(mu);
  std::vector<std::unique_ptr<LockedRow>> unused_ ABSL_GUARDED_BY(mu);
  int64_t waits_ ABSL_GUARDED_BY(mu) = 0;
  int64_t timeouts_ ABSL_GUARDED_BY(mu) = 0;
  uint64_t overtakes_ ABSL_GUARDED_BY(mu) = 0;  // Of rows that are gone.

  TimerId timer_ ABSL_GUARDED_BY(mu) = TimerId();
  // Infinite if none is set.
  absl::Duration timer_deadline_ ABSL_GUARDED_BY(mu) = absl::InfiniteDuration();
  int64_t timer_tasks_ ABSL_GUARDED_BY(mu) = 0;  // Set or running.
};

// What is to be said of a row that a request didn't get after `waited`.
std::string NoLockText(const LockedRow& row, LockMode mode,
                       absl::Duration waited);

}  // namespace shale

#endif  // SHALE_LOCKING_ROW_LOCK_SHARD_H_
