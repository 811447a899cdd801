#ifndef SHALE_REGION_WRITE_ADMISSION_H_
#define SHALE_REGION_WRITE_ADMISSION_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/admission_queue.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"

namespace shale {

// Holds writes back while the memstores of a region are full, in order, each no
// longer than it is willing to wait. Counts what writes reserve, not what the
// arenas hold, so that a write knows its cost before it begins. Thread-safe.
class WriteAdmission {
 public:
  // Runs `request_flush`, outside any lock, whenever a write has to wait or
  // leaves more than `flush_bytes` in use. `clock` is the executor's, and both
  // outlive this, which must not go while somebody waits.
  WriteAdmission(int64_t flush_bytes, int64_t blocking_bytes, Clock& clock,
                 Executor& executor, absl::AnyInvocable<void()> request_flush);

  // Takes `bytes` into use and runs `granted` when there is room: in the
  // calling thread if there is now, else where room is made.
  // RESOURCE_EXHAUSTED, with nothing taken, at `deadline` (monotonic). A write
  // larger than all there is gets in when nothing else is in use.
  void Admit(int64_t bytes, absl::Duration deadline,
             absl::AnyInvocable<void(absl::Status)> granted);

  // Takes `bytes` into use whether there is room or not, as at replay.
  void Charge(int64_t bytes) { queue_.Charge(bytes); }

  // Gives `bytes` back: their cells are in store files, or never came to be.
  void Release(int64_t bytes) { queue_.GiveBack(bytes); }

  // What became of a flush that was asked for: why writes may wait in vain.
  void NoteFlush(absl::Status outcome) ABSL_LOCKS_EXCLUDED(mu_);

  // Ends every wait, those to come too, with `cause`.
  void Fail(const absl::Status& cause) { queue_.Fail(cause); }

  int64_t used() const { return queue_.used(); }
  bool HasWaiters() const { return queue_.HasWaiters(); }

 private:
  absl::Status TooLate(int64_t used) const ABSL_LOCKS_EXCLUDED(mu_);

  const int64_t flush_bytes_;
  const int64_t blocking_bytes_;
  absl::AnyInvocable<void()> request_flush_;
  mutable absl::Mutex mu_;  // A leaf.
  absl::Status last_flush_ ABSL_GUARDED_BY(mu_);
  AdmissionQueue queue_;
};

}  // namespace shale

#endif  // SHALE_REGION_WRITE_ADMISSION_H_
