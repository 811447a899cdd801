#ifndef SHALE_LOCKING_ROW_LOCK_TABLE_H_
#define SHALE_LOCKING_ROW_LOCK_TABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/locking/row_locks.h"

namespace shale {

struct LockRequest;
class LockRequestQueue;
class RowLockShard;

// Of RowLockTable.
struct RowLockOptions {
  // Parts of the table, each with a lock of its own. Range [1, 4096].
  int shards = 64;
  // How often newcomers may have a row during the wait of a request that came
  // before them. Zero is strictly first come, first served. Range [0, 1 << 20].
  int64_t max_bypass = 16;
};

// Counts since the table was made, but for `rows`.
struct RowLockStats {
  int64_t rows = 0;       // Held or waited for now.
  int64_t waits = 0;      // Times a request had to wait for a row.
  int64_t timeouts = 0;   // Of those, waits that a deadline ended.
  int64_t overtakes = 0;  // Times a newcomer went ahead of those that waited.
};

// The row locks of one region: shared or exclusive, owned by tokens, granted
// asynchronously, so that no thread stands still for a row.
//
//   - A request names any rows, sorted and deduplicated here, and gets all or
//     nothing. While it waits for one it keeps those before it: as everybody
//     goes in the order of the rows, requests cannot wait for each other in a
//     circle. An owner that makes a second request while it holds the locks of
//     a first can: then the deadline decides.
//   - An owner's locks are counted: it gets again what it holds, and others get
//     it once all is given back. If it holds a row shared and asks for it
//     exclusive, it gets it if it holds it alone, else waits ahead of
//     everybody. Where another owner's upgrade waits already, neither could
//     ever be granted and the second fails with FAILED_PRECONDITION.
//   - Fair by bounded bypass, see RowLockOptions. A row that is given back goes
//     to the next in line at once.
//   - A request that waited is carried on by whoever gives back what it waited
//     for: its callback runs there, outside any lock of the table. That costs
//     no switch of threads, unlike handing a lock to a thread that must wake up
//     first. In one thread such callbacks run one after the other, not nested,
//     so that a long line of them doesn't use up the stack. And no thread is
//     kept at it for ever: after kMaxCarriedOn requests the executor gets what
//     is left, one by one, however many more come.
//
// Memory: a row is in the table while it is held or waited for. Some unused
// entries are kept, so a request for up to four free rows allocates nothing,
// unless a key is longer than those that its entry had before, or the hash
// table must grow. A request that waits allocates.
//
// Thread-safe. Must outlive all its locks and requests.
class RowLockTable final : private RowLocksSource {
 public:
  // How many requests a release carries on itself at most.
  static constexpr int kMaxCarriedOn = 256;

  using Granted = absl::AnyInvocable<void(absl::StatusOr<RowLocks>)>;

  // Names a request in order to cancel it. Copyable; may outlive it.
  class Ticket {
   public:
    Ticket() = default;  // Of a request that didn't wait.

   private:
    friend class RowLockTable;
    std::shared_ptr<std::atomic<bool>> cancelled_;
  };

  // Deadlines are on `clock` and on the timers of `executor`, both of which
  // must outlive the table.
  RowLockTable(const RowLockOptions& options, Clock& clock, Executor& executor);
  ~RowLockTable();

  // One for each operation, which makes one request at a time: it may hold the
  // locks of several, but while one waits it makes no other.
  LockOwner NewOwner() {
    return {last_owner_.fetch_add(1, std::memory_order_relaxed) + 1};
  }

  // Calls `granted` exactly once: in the calling thread, before this returns,
  // if all rows can be had, else in the thread that gives the last one back. It
  // must not block. `rows` is used only during the call. Errors, all with
  // nothing held: DEADLINE_EXCEEDED when Clock::Monotonic() reaches `deadline`,
  // at once if that is past; FAILED_PRECONDITION for the second of two
  // upgrades; CANCELLED. The text names the row, who holds it and how long the
  // request waited.
  Ticket Acquire(absl::Span<const absl::string_view> rows, LockMode mode,
                 LockOwner owner, absl::Duration deadline, Granted granted);

  // Ends the request with CANCELLED in this thread, or in the thread that is
  // carrying it on at this moment, unless it ends otherwise before.
  void Cancel(const Ticket& ticket);

  // Never waits: UNAVAILABLE, with a text as above, if a row can't be had now.
  absl::StatusOr<RowLocks> TryAcquire(absl::Span<const absl::string_view> rows,
                                      LockMode mode, LockOwner owner);

  // Acquire for a thread that may block; not from within `granted`.
  absl::StatusOr<RowLocks> AcquireAndWait(
      absl::Span<const absl::string_view> rows, LockMode mode, LockOwner owner,
      absl::Duration deadline);

  RowLockStats stats() const;

 private:
  class SortedRows;

  RowLockShard& ShardOf(absl::string_view row) const;
  RowLockShard& ShardOf(const LockedRow& row) const;

  // Takes rows until one can't be had: then that is in `missing`, referenced.
  void TakeAll(const SortedRows& rows, RowLocks& locks, LockedRow*& missing);
  // Takes request->rows[next], or ends the request with an error, or makes it
  // wait: then the request is gone.
  void TakeNext(std::unique_ptr<LockRequest>& request);
  // Takes the rest until the request waits or ends.
  static void CarryOn(std::unique_ptr<LockRequest> request);
  static void CarryOnAll(LockRequestQueue& ready);
  static void HandOver(LockRequestQueue& ready);
  void GiveBack(LockOwner owner, LockMode mode,
                absl::Span<LockedRow* const> rows) override;
  void Unreference(absl::Span<LockedRow* const> rows);
  absl::Duration Waited(const LockRequest& request) const;
  absl::Status Cancelled(const LockRequest& request,
                         const LockedRow& row) const;

  const int64_t max_bypass_;
  Clock& clock_;
  Executor& executor_;
  std::vector<std::unique_ptr<RowLockShard>> shards_;
  // Mere counters: they order nothing and pair with nothing.
  std::atomic<uint64_t> last_owner_{0};
  std::atomic<uint64_t> last_request_{0};
};

}  // namespace shale

#endif  // SHALE_LOCKING_ROW_LOCK_TABLE_H_
