#ifndef SHALE_LOCKING_ROW_LOCKS_H_
#define SHALE_LOCKING_ROW_LOCKS_H_

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "shale/base/cxx_standard.h"

namespace shale {

class LockedRow;
struct LockRequest;

enum class LockMode {
  kShared,     // With other shared holders.
  kExclusive,  // Alone.
};

// Whom locks belong to: an operation, not a thread, so that one thread may take
// them and another give them back. RowLockTable::NewOwner() makes them.
struct LockOwner {
  uint64_t id = 0;  // Zero is nobody.

  friend constexpr bool operator==(LockOwner, LockOwner) = default;
};

// Where RowLocks go back to. Implemented by RowLockTable.
class RowLocksSource {
 public:
  virtual void GiveBack(LockOwner owner, LockMode mode,
                        absl::Span<LockedRow* const> rows) = 0;

 protected:
  ~RowLocksSource() = default;
};

// The locks that one request was granted; gives them back when it goes.
// Movable, to any thread. Not thread-safe itself. The table must outlive it.
class RowLocks {
 public:
  RowLocks() = default;  // Holds nothing.
  RowLocks(RowLocks&& other) noexcept
      : source_(std::exchange(other.source_, nullptr)),
        owner_(other.owner_),
        mode_(other.mode_),
        rows_(std::move(other.rows_)) {}
  RowLocks& operator=(RowLocks&& other) noexcept {
    if (this != &other) {
      Release();
      source_ = std::exchange(other.source_, nullptr);
      owner_ = other.owner_;
      mode_ = other.mode_;
      rows_ = std::move(other.rows_);
    }
    return *this;
  }
  ~RowLocks() { Release(); }

  // Gives all of them back, each counted once. Requests that waited for them
  // are carried on in here, which may run their callbacks: call it with no lock
  // held that those take. Does nothing the second time.
  void Release() {
    if (source_ == nullptr) return;
    std::exchange(source_, nullptr)->GiveBack(owner_, mode_, rows_);
  }

 private:
  friend class RowLockTable;
  friend struct LockRequest;
  RowLocks(RowLocksSource* source, LockOwner owner, LockMode mode)
      : source_(source), owner_(owner), mode_(mode) {}

  RowLocksSource* source_ = nullptr;
  LockOwner owner_;
  LockMode mode_ = LockMode::kShared;
  absl::InlinedVector<LockedRow*, 4> rows_;  // In order. Owned by the source.
};

}  // namespace shale

#endif  // SHALE_LOCKING_ROW_LOCKS_H_
