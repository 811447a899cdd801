#ifndef SHALE_REGION_NONCE_REGISTRY_H_
#define SHALE_REGION_NONCE_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/log_position.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/applied_nonce.h"
#include "shale/region/row_result.h"
#include "shale/wal/log_entry.h"

namespace shale {

// What an operation with a nonce wrote.
struct NonceOutcome {
  WriteRange range;
  Timestamp commit_timestamp = 0;
  // Of its log entry; kLogStart if it has none, or if that was durable before
  // the region was opened.
  LogPosition position = kLogStart;
  // ApplyResult::rows of the first; null if they aren't known any more.
  std::shared_ptr<const std::vector<RowResult>> rows;
};

// Which operations that may be sent again have been applied, so that none is
// applied twice:
//
//             Claim         NoteAppended         Succeed
//   unknown ---------> running --------> appended -----> applied
//      ^                  |             (both for the grace period at least)
//      +------------------+
//            Release
//
// A second Claim of a nonce waits while the first is running or appended, and
// gets its outcome; if the first comes to nothing, it runs itself. One that was
// appended and whose caller was told UNKNOWN stays so until it is visible, if
// ever; else the log says at the next open what became of it. While nothing is
// known of the first, a claim ends with UNKNOWN alone: whoever hears that
// nothing was applied may send the same under another nonce.
//
// Kept by (group, nonce) in memory, about a hundred bytes each, and with it
// what the first was told, if that is small: the newest kAllResultBytes of the
// region. On disk a nonce is in the log, and once flushed in the manifest, the
// newest kMaxFlushed of the region; Restore brings back both. So where more
// than those are flushed within a grace period, the older ones are forgotten at
// the next open, before their time. Thread-safe.
class NonceRegistry {
 public:
  // Results larger than the first aren't kept, nor more than the second of all.
  static constexpr size_t kResultBytes = 4 << 10;
  static constexpr size_t kAllResultBytes = 4 << 20;
  static constexpr size_t kMaxFlushed = 4096;

  // Nothing: the claim is granted, and the caller runs the operation.
  using Answer =
      absl::AnyInvocable<void(absl::StatusOr<std::optional<NonceOutcome>>)>;

  // `grace`: how long an applied nonce is known. Clock and executor are on the
  // same time, and outlive this.
  NonceRegistry(absl::Duration grace, Clock& clock, Executor& executor);
  // REQUIRES: nobody waits. Waits for timers that are about to run.
  ~NonceRegistry();

  // Runs `answer` once: in the calling thread unless the nonce runs, else in
  // the thread that ends it. UNKNOWN at `deadline` (monotonic). REQUIRES: a
  // nonce.
  void Claim(Nonce nonce, absl::Duration deadline, Answer answer)
      ABSL_LOCKS_EXCLUDED(mu_);

  // For a claim that was granted: either Release or NoteAppended, once, and
  // after that Succeed, once.
  //
  // Nothing was applied.
  void Release(Nonce nonce) ABSL_LOCKS_EXCLUDED(mu_);
  // It has its numbers, and comes to nothing no more. `position` as in
  // NonceOutcome.
  void NoteAppended(const AppliedNonce& appended, LogPosition position)
      ABSL_LOCKS_EXCLUDED(mu_);
  // Its caller is told UNKNOWN. If it will never be confirmed, as Fail said
  // before it was appended, the waits for it end so too.
  void LeaveUnconfirmed(Nonce nonce) ABSL_LOCKS_EXCLUDED(mu_);
  // It is visible, or answered. `rows` is what its caller was told, or would
  // have been.
  void Succeed(Nonce nonce, std::vector<RowResult> rows)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Found in the log or the manifest at open, when it was `now`; the commit
  // timestamp says how old it is.
  void Restore(const AppliedNonce& applied, Timestamp now)
      ABSL_LOCKS_EXCLUDED(mu_);

  // For the manifest: of those appended and not expired with numbers up to
  // `last`, the newest kMaxFlushed, oldest first. Those up to a number that a
  // flush has frozen under the updates lock are all there, as they are noted
  // under it.
  std::vector<AppliedNonce> Appended(WriteNumber last) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // What is appended is never confirmed any more, because of `cause`: ends the
  // waits for that, those to come too, with UNKNOWN. Waits for what runs go on
  // until it has come to something.
  void Fail(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(mu_);

  // Nonces that run or are known to be applied.
  size_t size() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // So that a claim after a quiet time doesn't do all arrears.
  static constexpr int kForgottenPerClaim = 16;

  struct Waiter {
    uint64_t id = 0;
    TimerId timer = {};
    Answer answer;
    absl::StatusOr<std::optional<NonceOutcome>> result;  // Once it has ended.
  };
  using Waiters = std::list<Waiter>;
  using Rows = std::vector<RowResult>;
  struct Entry {
    bool running = true;  // Or appended.
    WriteRange range;     // Once appended.
    Timestamp commit_timestamp = 0;
    LogPosition position = kLogStart;
    absl::Duration expires_at;  // Monotonic; once appended.
    std::weak_ptr<const Rows> rows;
    Waiters waiters;

    bool appended() const { return range.last > kNoWriteNumber; }
    NonceOutcome outcome() const {
      return {range, commit_timestamp, position, rows.lock()};
    }
  };
  // Keeps the rows of an entry.
  struct KeptRows {
    absl::Duration expires_at;
    size_t bytes = 0;
    std::shared_ptr<const Rows> rows;
  };

  void Wait(Entry& entry, Nonce nonce, absl::Duration deadline, Answer answer)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void TimeOut(Nonce nonce, uint64_t id) ABSL_LOCKS_EXCLUDED(mu_);
  void Keep(Entry& entry, const AppliedNonce& applied, absl::Duration age)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void KeepRows(Entry& entry, Rows rows) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ForgetOldestRows() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ForgetExpired() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Tells waiters that have ended, with no lock held.
  void Tell(Waiters ended) ABSL_LOCKS_EXCLUDED(mu_);

  const absl::Duration grace_;
  Clock& clock_;
  Executor& executor_;
  mutable absl::Mutex mu_;  // A leaf, but for the executor's lock.
  absl::flat_hash_map<Nonce, Entry> entries_ ABSL_GUARDED_BY(mu_);
  // When those appended expire, in the order in which they were.
  std::deque<std::pair<absl::Duration, Nonce>> expiries_ ABSL_GUARDED_BY(mu_);
  std::deque<KeptRows> kept_rows_ ABSL_GUARDED_BY(mu_);
  size_t kept_bytes_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  // Scheduled, and neither cancelled nor run to the end.
  int64_t timers_ ABSL_GUARDED_BY(mu_) = 0;
  // What waits for something appended end with; OK before Fail.
  absl::Status failed_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_NONCE_REGISTRY_H_
