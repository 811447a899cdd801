#ifndef SHALE_MVCC_READ_PIN_TABLE_H_
#define SHALE_MVCC_READ_PIN_TABLE_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/synchronization/mutex.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/read_pin.h"

namespace shale {

// The read points that readers hold, over a read point that somebody else
// moves, only ever forward. Apart from the lock under which it is moved, so
// that scans that come and go don't hold writers up.
//
// Why SmallestPinned() never goes back: a pin is taken at the read point as it
// is under mu_, which is at least what any earlier call saw as the read point,
// and an earlier answer was no larger than that.
//
// Thread-safe. Must outlive its pins.
class ReadPinTable final : public ReadPinOwner {
 public:
  // Loads `read_point` (acquire), which must outlive it.
  explicit ReadPinTable(const std::atomic<uint64_t>& read_point)
      : read_point_(read_point) {}
  ~ReadPinTable();

  ReadPin Pin() ABSL_LOCKS_EXCLUDED(mu_);
  WriteNumber SmallestPinned() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Unpin(WriteNumber read_point) override ABSL_LOCKS_EXCLUDED(mu_);
  WriteNumber ReadPoint() const {
    return {read_point_.load(std::memory_order_acquire)};
  }

  const std::atomic<uint64_t>& read_point_;
  // Innermost: nothing else is taken while it is held.
  mutable absl::Mutex mu_;
  // How many live pins each read point has; none has zero.
  absl::btree_map<WriteNumber, int64_t> pins_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_MVCC_READ_PIN_TABLE_H_
