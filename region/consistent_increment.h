#ifndef SHALE_REGION_CONSISTENT_INCREMENT_H_
#define SHALE_REGION_CONSISTENT_INCREMENT_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/region/increment_protocol.h"

namespace shale {

// Waits, with its rows locked, until every write that the region has begun is
// visible, of other rows too: then what is visible is the newest state. This is
// the slow increment of HBASE-15031, and a second wait for each operation.
class ConsistentIncrement final : public IncrementProtocol {
 public:
  bool waits_before_read() const override { return true; }
  void BeforeRead(Mvcc& mvcc, PendingWait* wait,
                  absl::AnyInvocable<void()> ready) override;
  bool holds_rows_until_durable() const override { return false; }
  int64_t barrier_waits() const override {
    return barrier_waits_.load(std::memory_order_relaxed);
  }
  absl::string_view name() const override { return "consistent"; }

 private:
  // A mere counter: it orders nothing.
  std::atomic<int64_t> barrier_waits_ = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_CONSISTENT_INCREMENT_H_
