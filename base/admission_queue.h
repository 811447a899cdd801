#ifndef SHALE_BASE_ADMISSION_QUEUE_H_
#define SHALE_BASE_ADMISSION_QUEUE_H_

#include <cstdint>
#include <list>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/alarm.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"

namespace shale {

// Bounded room in bytes, given out in the order in which it was asked for; who
// has to wait waits no longer than it is willing to. What is larger than all
// there is gets in when nothing else is in use. Thread-safe.
class AdmissionQueue {
 public:
  using Granted = absl::AnyInvocable<void(absl::Status)>;

  // `why_late` gives what a wait ends with at its deadline, from the bytes that
  // are in use then; it is run with no lock held. `clock` is the executor's,
  // and both outlive this.
  AdmissionQueue(int64_t capacity_bytes, Clock& clock, Executor& executor,
                 absl::AnyInvocable<absl::Status(int64_t used)> why_late);
  // REQUIRES: nobody waits. Waits for those who are being told.
  ~AdmissionQueue();

  // Takes `bytes` into use. If that is decided now, gives the status and leaves
  // `granted` alone; else nothing, and `granted` runs once there is room, in
  // the thread that makes it, or once there won't be any before `deadline`
  // (monotonic), with nothing taken.
  std::optional<absl::Status> Take(int64_t bytes, absl::Duration deadline,
                                   Granted&& granted) ABSL_LOCKS_EXCLUDED(mu_);

  // Takes `bytes` into use whether there is room or not.
  void Charge(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // Gives bytes back; lets in who waits for them, in this thread or in one that
  // is at it. Uncharge leaves that to the next call that does: it runs nothing.
  void GiveBack(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);
  void Uncharge(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // Ends every wait, those to come too, with `cause`. The first cause stays.
  void Fail(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(mu_);

  int64_t used() const ABSL_LOCKS_EXCLUDED(mu_);
  bool HasWaiters() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Waiter {
    int64_t bytes;
    absl::Duration deadline;
    Granted granted;
    absl::Status status;  // Once it has ended.
  };
  using Waiters = std::list<Waiter>;

  bool HasRoom(int64_t bytes) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return used_ == 0 || used_ + bytes <= capacity_bytes_;
  }
  // Ends the waits whose deadline has passed. When the next one does.
  absl::Duration Expire() ABSL_LOCKS_EXCLUDED(mu_);
  void AdmitThoseThatFit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Moves a waiter to those that TellEnded is to tell.
  void End(Waiters::iterator waiter, absl::Status status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Tells them, outside the lock, one after the other: what one of them ends in
  // turn waits its turn, however many there are.
  void TellEnded() ABSL_LOCKS_EXCLUDED(mu_);

  const int64_t capacity_bytes_;
  Clock& clock_;
  absl::AnyInvocable<absl::Status(int64_t)>
      why_late_;            // By one look at a time.
  mutable absl::Mutex mu_;  // A leaf.
  int64_t used_ ABSL_GUARDED_BY(mu_) = 0;
  Waiters waiters_ ABSL_GUARDED_BY(mu_);
  Waiters ended_ ABSL_GUARDED_BY(mu_);
  bool telling_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status failed_ ABSL_GUARDED_BY(mu_);
  Alarm alarm_;  // Last, as it looks at all of the above.
};

}  // namespace shale

#endif  // SHALE_BASE_ADMISSION_QUEUE_H_
