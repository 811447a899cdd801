#include "shale/region/consistent_increment.h"

#include <utility>

namespace shale {

void ConsistentIncrement::BeforeRead(Mvcc& mvcc,
                                     const std::atomic<bool>* given_up,
                                     absl::AnyInvocable<void()> ready) {
  const WriteNumber begun = mvcc.WritePoint();
  if (mvcc.ReadPoint() < begun) {
    barrier_waits_.fetch_add(1, std::memory_order_relaxed);
  }
  if (given_up == nullptr) return mvcc.Barrier(std::move(ready));
  // Also when the wait was ended: then `ready` finds that its commit was too.
  mvcc.WaitBarrierUnless(*given_up);
  ready();
}

}  // namespace shale
