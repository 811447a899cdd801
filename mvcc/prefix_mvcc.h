#ifndef SHALE_MVCC_PREFIX_MVCC_H_
#define SHALE_MVCC_PREFIX_MVCC_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/queued_mvcc.h"

namespace shale {

// Marks a write first and looks afterwards: whoever finishes the oldest
// unfinished write takes the whole finished prefix off the queue, publishes the
// read point once for all of it, and wakes all waiters in one round. So N
// writes that finish in reverse order cost N wake-ups, not N^2: HBASE-15213,
// which repaired head_of_line. What it left: waiters share one monitor, so each
// round also wakes those whose turn it isn't (HBASE-25442). A barrier never
// holds up what was begun after it, so it needs no entry: it waits for the
// newest write begun.
class PrefixMvcc final : public QueuedMvcc {
 public:
  PrefixMvcc(const MvccOptions& options, Clock& clock)
      : QueuedMvcc(options, clock) {}

  bool WaitVisibleUnless(WriteRange range, PendingWait& wait) override;
  bool WaitBarrierUnless(PendingWait& wait) override ABSL_LOCKS_EXCLUDED(mu_);
  void GiveUp(PendingWait& wait) override;
  void EndWaits() override;
  absl::string_view name() const override { return "prefix"; }

 private:
  // The finished prefix leaves the queue.
  int64_t Advance(bool head_marked) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void WakeAfterAdvance() override { WakeAll(); }
  void WakeAll();

  // A bit of round_: somebody may be parked. Above it is a count.
  static constexpr uint32_t kParked = 1;
  static constexpr uint32_t kNextRound = 2;

  // The monitor of all waiters: the count changes, with release, after every
  // move of the read point and after waits_ended_ or a wait's given_up is set;
  // that takes the bit, and all are woken if it was set. A waiter sets it
  // (acquire) before it looks at those three, and parks only while the word has
  // not changed since. Both are read-modify-writes of one word: either the
  // waiter is woken, or it comes second and sees what it would wait for.
  std::atomic<uint32_t> round_{0};
  // Set once. Relaxed: ordered by round_.
  std::atomic<bool> waits_ended_{false};
};

}  // namespace shale

#endif  // SHALE_MVCC_PREFIX_MVCC_H_
