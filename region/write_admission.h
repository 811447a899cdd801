#ifndef SHALE_REGION_WRITE_ADMISSION_H_
#define SHALE_REGION_WRITE_ADMISSION_H_

#include <cstdint>
#include <list>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"

namespace shale {

// Holds writes back while the memstores of a region are full, in order, each no
// longer than it is willing to wait. Counts what writes reserve, not what the
// arenas hold, so that a write knows its cost before it begins. Thread-safe.
class WriteAdmission {
 public:
  // Runs `request_flush`, outside any lock, whenever a write has to wait or
  // leaves more than `flush_bytes` in use. `executor` outlives this.
  WriteAdmission(int64_t flush_bytes, int64_t blocking_bytes,
                 Executor& executor, absl::AnyInvocable<void()> request_flush);
  // REQUIRES: nobody waits. Waits for timers that are about to run.
  ~WriteAdmission();

  // Takes `bytes` into use and runs `granted` when there is room: in the
  // calling thread if there is now, else where room is made.
  // RESOURCE_EXHAUSTED, with nothing taken, at `deadline` (monotonic). A write
  // larger than all there is gets in when nothing else is in use.
  void Admit(int64_t bytes, absl::Duration deadline,
             absl::AnyInvocable<void(absl::Status)> granted)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Takes `bytes` into use whether there is room or not, as at replay.
  void Charge(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // Gives `bytes` back: their cells are in store files, or never came to be.
  void Release(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // Ends every wait, those to come too, with `cause`.
  void Fail(absl::Status cause) ABSL_LOCKS_EXCLUDED(mu_);

  int64_t used() const ABSL_LOCKS_EXCLUDED(mu_);
  bool HasWaiters() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Waiter {
    uint64_t id;
    int64_t bytes;
    absl::AnyInvocable<void(absl::Status)> granted;
    TimerId timer;
    absl::Status status;  // Once it has ended.
  };
  using Waiters = std::list<Waiter>;

  bool HasRoom(int64_t bytes) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return used_ == 0 || used_ + bytes <= blocking_bytes_;
  }
  void Enqueue(int64_t bytes, absl::Duration deadline,
               absl::AnyInvocable<void(absl::Status)> granted)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void TimeOut(uint64_t id) ABSL_LOCKS_EXCLUDED(mu_);
  void AdmitThoseThatFit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Moves a waiter to those that RunEnded is to tell.
  void End(Waiters::iterator waiter, absl::Status status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Tells them, outside the lock, one after the other: what one of them ends in
  // turn waits its turn, however many there are.
  void RunEnded() ABSL_LOCKS_EXCLUDED(mu_);

  const int64_t flush_bytes_;
  const int64_t blocking_bytes_;
  Executor& executor_;
  absl::AnyInvocable<void()> request_flush_;
  mutable absl::Mutex mu_;  // A leaf.
  int64_t used_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  Waiters waiters_ ABSL_GUARDED_BY(mu_);
  Waiters ended_ ABSL_GUARDED_BY(mu_);
  bool running_ended_ ABSL_GUARDED_BY(mu_) = false;
  // Scheduled, and neither cancelled nor run to the end.
  int64_t timers_ ABSL_GUARDED_BY(mu_) = 0;
  absl::Status failed_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_WRITE_ADMISSION_H_
