#include "shale/region/consistent_increment.h"

#include <utility>

namespace shale {

void ConsistentIncrement::BeforeRead(Mvcc& mvcc, PendingWait* wait,
                                     absl::AnyInvocable<void()> ready) {
  const WriteNumber begun = mvcc.WritePoint();
  if (mvcc.ReadPoint() < begun) {
    barrier_waits_.fetch_add(1, std::memory_order_relaxed);
  }
  if (wait == nullptr) return mvcc.Barrier(std::move(ready));
  // Also when the wait was ended: then `ready` finds that its commit was too.
  mvcc.WaitBarrierUnless(*wait);
  ready();
}

}  // namespace shale
