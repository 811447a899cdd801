// One limit for the memory of many owners.
#ifndef SHALE_BASE_MEMORY_BUDGET_H_
#define SHALE_BASE_MEMORY_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

class MemoryAccount;

// Knows how many bytes its accounts hold and refuses what would go above its
// capacity. It allocates nothing: owners say what they take and give back.
// Thread-safe; charging takes no lock below the lowest pressure threshold. Must
// outlive its accounts and pressure listeners.
class MemoryBudget {
 public:
  struct Item {
    std::string name;
    int64_t bytes;
  };

  // Removes its listener when destroyed, and returns only once that is not
  // being called. Movable.
  using PressureListener =
      decltype(absl::MakeCleanup(absl::AnyInvocable<void()>()));

  // REQUIRES: capacity_bytes > 0.
  explicit MemoryBudget(int64_t capacity_bytes);
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;
  ~MemoryBudget();

  int64_t capacity_bytes() const { return capacity_bytes_; }
  // Above the capacity only by what was forced.
  int64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }

  // What each name's accounts hold together, sorted by name. While others
  // charge, the sum may differ from used_bytes() by what is under way.
  std::vector<Item> Breakdown() const ABSL_LOCKS_EXCLUDED(mu_);

  // Calls `listener(used bytes)` each time use rises from below
  // `threshold_bytes` to it or above, in the thread that charged, under
  // whatever locks that holds. So it should only hand work to an executor; it
  // must not block, nor use this budget.
  [[nodiscard]] PressureListener OnPressure(
      int64_t threshold_bytes, absl::AnyInvocable<void(int64_t) const> listener)
      ABSL_LOCKS_EXCLUDED(mu_);

 private:
  friend class MemoryAccount;

  // What is known here of one account.
  struct Slot {
    std::string name;
    std::atomic<int64_t> bytes = 0;  // Relaxed, as used_.
  };
  struct Listener {
    int64_t threshold_bytes;
    absl::AnyInvocable<void(int64_t) const> call;
  };

  bool TryAdd(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);
  void Add(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);
  void Subtract(int64_t bytes);
  void ReportRise(int64_t before, int64_t after) ABSL_LOCKS_EXCLUDED(mu_);
  void SetLowestThreshold() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const int64_t capacity_bytes_;
  // These two are relaxed and pair with nothing: each change of used_ sees the
  // one before it, and that is all a limit and a crossing need.
  std::atomic<int64_t> used_ = 0;
  std::atomic<int64_t> lowest_threshold_ = INT64_MAX;
  // Held shared while listeners are called. Comes after every lock that is held
  // while charging.
  mutable absl::Mutex mu_;
  absl::flat_hash_set<Slot*> slots_ ABSL_GUARDED_BY(mu_);
  std::list<Listener> listeners_ ABSL_GUARDED_BY(mu_);
};

// One owner's charge on a budget, under a name; several may share a name. What
// it still holds when destroyed is given back. Movable; a moved-from one may
// only be destroyed or assigned to. Thread-safe but for moving and destroying.
class MemoryAccount {
 public:
  MemoryAccount(MemoryBudget& budget, absl::string_view name);
  MemoryAccount(MemoryAccount&& other) noexcept = default;
  MemoryAccount& operator=(MemoryAccount&& other) noexcept;
  ~MemoryAccount();

  // Charges `bytes`, or charges nothing and returns RESOURCE_EXHAUSTED if the
  // budget would come to more than its capacity. REQUIRES: bytes >= 0.
  absl::Status TryCharge(int64_t bytes);

  // Charges what cannot be refused, even above the capacity: pressure listeners
  // and used_bytes() tell. REQUIRES: bytes >= 0.
  void ForceCharge(int64_t bytes);

  // Gives back. REQUIRES: 0 <= bytes <= this->bytes().
  void Release(int64_t bytes);

  // What this account holds.
  int64_t bytes() const { return slot_->bytes.load(std::memory_order_relaxed); }

 private:
  void Close();

  MemoryBudget* budget_;
  std::unique_ptr<MemoryBudget::Slot> slot_;  // Null once moved from.
};

}  // namespace shale

#endif  // SHALE_BASE_MEMORY_BUDGET_H_
