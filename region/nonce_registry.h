#ifndef SHALE_REGION_NONCE_REGISTRY_H_
#define SHALE_REGION_NONCE_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/wal/log_entry.h"

namespace shale {

// What an operation with a nonce wrote.
struct NonceOutcome {
  WriteRange range;
  Timestamp commit_timestamp = 0;
};

// Which operations that may be sent again have been applied, so that none is
// applied twice:
//
//             Claim          Succeed
//   unknown ---------> running -----> applied (for the grace period)
//      ^                  |
//      +------------------+
//            Release
//
// A second Claim of a nonce waits while the first runs, and gets its outcome;
// if the first comes to nothing, it runs itself. A running operation whose
// outcome is UNKNOWN is neither: its nonce keeps running until the next open,
// and the log then says what became of it.
//
// Kept by (group, nonce) in memory, a few ten bytes each, and rebuilt from the
// log by Restore. What was flushed and whose log is gone isn't known after a
// restart. Thread-safe.
class NonceRegistry {
 public:
  // Nothing: the claim is granted, and the caller runs the operation.
  using Answer =
      absl::AnyInvocable<void(absl::StatusOr<std::optional<NonceOutcome>>)>;

  // `grace`: how long an applied nonce is known. Clock and executor are on the
  // same time, and outlive this.
  NonceRegistry(absl::Duration grace, Clock& clock, Executor& executor);
  // REQUIRES: nobody waits. Waits for timers that are about to run.
  ~NonceRegistry();

  // Runs `answer` once: in the calling thread unless the nonce runs, else in
  // the thread that ends it. DEADLINE_EXCEEDED at `deadline` (monotonic).
  // REQUIRES: a nonce.
  void Claim(Nonce nonce, absl::Duration deadline, Answer answer)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Both REQUIRE: the claim was granted and neither was called for it.
  void Succeed(Nonce nonce, const NonceOutcome& outcome)
      ABSL_LOCKS_EXCLUDED(mu_);
  // Nothing was applied.
  void Release(Nonce nonce) ABSL_LOCKS_EXCLUDED(mu_);

  // A log record of `nonce` was found at open; its commit timestamp says how
  // old it is.
  void Restore(Nonce nonce, const NonceOutcome& outcome)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Ends every wait, those to come too, with `cause`.
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
  struct Entry {
    std::optional<NonceOutcome> outcome;  // Nothing while it runs.
    absl::Duration expires_at;            // Monotonic; with an outcome.
    Waiters waiters;
  };

  void Wait(Entry& entry, Nonce nonce, absl::Duration deadline, Answer answer)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void TimeOut(Nonce nonce, uint64_t id) ABSL_LOCKS_EXCLUDED(mu_);
  void Keep(Nonce nonce, Entry& entry, const NonceOutcome& outcome,
            absl::Duration age) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ForgetExpired() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Tells waiters that have ended, with no lock held.
  void Tell(Waiters ended) ABSL_LOCKS_EXCLUDED(mu_);

  const absl::Duration grace_;
  Clock& clock_;
  Executor& executor_;
  mutable absl::Mutex mu_;  // A leaf, but for the executor's lock.
  absl::flat_hash_map<Nonce, Entry> entries_ ABSL_GUARDED_BY(mu_);
  // When those applied expire, in the order in which they were.
  std::deque<std::pair<absl::Duration, Nonce>> expiries_ ABSL_GUARDED_BY(mu_);
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  // Scheduled, and neither cancelled nor run to the end.
  int64_t timers_ ABSL_GUARDED_BY(mu_) = 0;
  absl::Status failed_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_NONCE_REGISTRY_H_
