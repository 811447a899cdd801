#include "shale/region/consistent_increment.h"

#include <utility>

namespace shale {

void ConsistentIncrement::BeforeRead(Mvcc& mvcc, bool may_park,
                                     absl::AnyInvocable<void()> ready) {
  const WriteNumber begun = mvcc.WritePoint();
  if (mvcc.ReadPoint() >= begun) return ready();
  barrier_waits_.fetch_add(1, std::memory_order_relaxed);
  if (!may_park) return mvcc.Barrier(std::move(ready));
  // Also when the wait was ended: then the log is poisoned, and the append that
  // follows fails.
  mvcc.WaitVisible({begun, begun});
  ready();
}

}  // namespace shale
