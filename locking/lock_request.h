#ifndef SHALE_LOCKING_LOCK_REQUEST_H_
#define SHALE_LOCKING_LOCK_REQUEST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shale/locking/row_locks.h"

namespace shale {

class RowLockTable;

// A request that couldn't be granted at once. It belongs to exactly one place
// at a time, the queue of the row it waits for or the thread that carries it
// on, and so needs no lock of its own.
struct LockRequest {
  // rows[next] is granted.
  void HoldNext() { locks.rows_.push_back(rows[next++]); }

  RowLockTable* table = nullptr;
  LockOwner owner;
  LockMode mode = LockMode::kShared;
  uint64_t id = 0;       // Ascending: the order of arrival.
  absl::Duration since;  // Both on the monotonic clock.
  absl::Duration deadline;
  absl::AnyInvocable<void(absl::StatusOr<RowLocks>)> granted;

  RowLocks locks;  // What it has got.
  // From rows[next] on what is missing, in order; it waits for that one.
  absl::InlinedVector<LockedRow*, 4> rows;
  size_t next = 0;
  absl::Status status;  // Why it ends without all of them.
  // Shared with the tickets. Set before the queues are searched and read under
  // the lock of each queue that is joined, which is what makes the two meet.
  std::shared_ptr<std::atomic<bool>> cancelled;

  // In a queue.
  LockRequest* previous_in_queue = nullptr;
  LockRequest* next_in_queue = nullptr;
  // In a row's queue. Its owner holds the row shared, and wants it alone.
  bool upgrade = false;
  // The row's count of overtakings when this joined.
  uint64_t joined_at = 0;
};

// First in, first out, of requests that are in no other queue; needs no memory
// of its own. Not thread-safe.
class LockRequestQueue {
 public:
  LockRequestQueue() = default;
  LockRequestQueue(const LockRequestQueue&) = delete;
  LockRequestQueue& operator=(const LockRequestQueue&) = delete;

  bool empty() const { return front_ == nullptr; }
  int64_t size() const { return size_; }
  LockRequest* front() const { return front_; }

  void PushBack(LockRequest& request) { Insert(request, back_, nullptr); }
  void PushFront(LockRequest& request) { Insert(request, nullptr, front_); }
  void Remove(LockRequest& request) {
    --size_;
    LockRequest* const before =
        std::exchange(request.previous_in_queue, nullptr);
    LockRequest* const after = std::exchange(request.next_in_queue, nullptr);
    (before == nullptr ? front_ : before->next_in_queue) = after;
    (after == nullptr ? back_ : after->previous_in_queue) = before;
  }
  // Takes over all that `other` has.
  void Append(LockRequestQueue& other) {
    while (LockRequest* request = other.PopFront()) PushBack(*request);
  }
  // Null if empty.
  LockRequest* PopFront() {
    LockRequest* const request = front_;
    if (request != nullptr) Remove(*request);
    return request;
  }

 private:
  void Insert(LockRequest& request, LockRequest* before, LockRequest* after) {
    ++size_;
    request.previous_in_queue = before;
    request.next_in_queue = after;
    (before == nullptr ? front_ : before->next_in_queue) = &request;
    (after == nullptr ? back_ : after->previous_in_queue) = &request;
  }

  LockRequest* front_ = nullptr;
  LockRequest* back_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace shale

#endif  // SHALE_LOCKING_LOCK_REQUEST_H_
