#ifndef SHALE_MVCC_HEAD_OF_LINE_MVCC_H_
#define SHALE_MVCC_HEAD_OF_LINE_MVCC_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/clock.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/queued_mvcc.h"

namespace shale {

// As HBase did it between HBASE-8763 and HBASE-15213, to be measured against: a
// write leaves the queue only as its head, one at a time, and a thread that
// waits for its write takes it off itself. It loops on one condition variable
// until its write is the head and finished; only then the read point moves, by
// that one write, and everybody is woken to see whose turn it is now. So N
// finished writes whose threads are parked cost up to N^2/2 wake-ups.
//
// A barrier of a thread that may park is an entry of its own in the queue: it
// leaves through that thread, as the head, and whatever was begun after it
// waits behind it. An increment that needs a barrier thereby doubles the queue.
//
// A write that no thread is parked for (asynchronous callers) leaves through
// whichever thread finds it finished at the head. To wait on a condition
// variable is the point of this variant; nothing else in Shale does.
class HeadOfLineMvcc final : public QueuedMvcc {
 public:
  HeadOfLineMvcc(const MvccOptions& options, Clock& clock)
      : QueuedMvcc(options, clock) {}

  bool WaitVisibleUnless(WriteRange range, PendingWait& wait) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool WaitBarrierUnless(PendingWait& wait) override ABSL_LOCKS_EXCLUDED(mu_);
  void GiveUp(PendingWait& wait) override ABSL_LOCKS_EXCLUDED(mu_);
  void EndWaits() override ABSL_LOCKS_EXCLUDED(mu_);
  absl::string_view name() const override { return "head_of_line"; }

 private:
  // Lets finished entries that nobody is parked for leave from the head, one at
  // a time, and wakes everybody if it may be a parked thread's turn now.
  int64_t Advance(bool head_marked) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // The head leaves through its own thread, and with it what Advance lets go.
  int64_t LeaveAsHead() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // Whether a wait must not go on although what it is for hasn't come.
  bool IsOver(const PendingWait& wait) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Waits until somebody has been woken, whoever is meant.
  void Park() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  bool waits_ended_ ABSL_GUARDED_BY(mu_) = false;
  // With mu_. All parked threads, whichever their write.
  absl::CondVar turn_;
};

}  // namespace shale

#endif  // SHALE_MVCC_HEAD_OF_LINE_MVCC_H_
