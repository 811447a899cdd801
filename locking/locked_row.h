#ifndef SHALE_LOCKING_LOCKED_ROW_H_
#define SHALE_LOCKING_LOCKED_ROW_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "shale/locking/lock_request.h"
#include "shale/locking/row_locks.h"

namespace shale {

// Who holds one row and who waits for it: the rules of row locking, without any
// threads. Not thread-safe; RowLockTable guards it with the lock of its shard.
//
// Requests wait first come, first served. A newcomer that is compatible with
// the holders may have the row all the same, so that readers of a hot row don't
// stand still behind each writer, but at most `max_bypass` times during the
// wait of any request. An owner that holds the row never waits behind others,
// as they may be waiting for it: what its hold covers it gets at once, and an
// upgrade from shared to exclusive goes to the head of the queue.
class LockedRow {
 public:
  enum class Answer {
    kGranted,
    kMustWait,
    // It holds the row shared and wants it alone, as does another that waits
    // already: neither would ever get it.
    kDeadlock,
  };

  // A row that nobody holds.
  void Reset(absl::string_view row, size_t shard);

  absl::string_view row() const { return row_; }
  // Where the table keeps it.
  size_t shard() const { return shard_; }
  // The table's count of pointers to it.
  int64_t& references() { return references_; }

  // A newcomer asks for it. kGranted adds a hold, the others change nothing.
  Answer Take(LockOwner owner, LockMode mode, int64_t max_bypass);
  // After kMustWait. `request` must stay until it is removed or granted.
  void Wait(LockRequest& request);
  void StopWaiting(LockRequest& request) { waiting_.Remove(request); }
  // Takes away one hold of `owner` that Take() or GrantNext() added.
  void Release(LockOwner owner, LockMode mode);
  // Takes the first request off the queue and adds its hold, if it can have the
  // row now; else null. To be repeated after each Release and StopWaiting.
  LockRequest* GrantNext();

  LockRequest* first_waiting() const { return waiting_.front(); }
  // Times that a newcomer went ahead of those that waited.
  uint64_t overtakings() const { return overtakings_; }
  // For people: who holds it and how many wait, such as
  // "held exclusive by owner 7, 2 waiting".
  std::string Describe() const;

 private:
  struct Hold {
    LockOwner owner;
    // How often it was granted in each mode, minus how often given back. A hold
    // with two zeros is removed.
    int64_t shared = 0;
    int64_t exclusive = 0;
  };

  Hold* Find(LockOwner owner);
  // Whether the holders leave room, whoever waits.
  bool HasRoom(LockOwner owner, LockMode mode);
  bool MayBeOvertaken(int64_t max_bypass) const;
  void AddHold(LockOwner owner, LockMode mode);

  std::string row_;
  size_t shard_ = 0;
  int64_t references_ = 0;
  // One for each owner. An exclusive one is alone.
  absl::InlinedVector<Hold, 2> holds_;
  LockRequestQueue waiting_;
  uint64_t overtakings_ = 0;
};

}  // namespace shale

#endif  // SHALE_LOCKING_LOCKED_ROW_H_
