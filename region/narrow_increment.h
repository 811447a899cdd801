#ifndef SHALE_REGION_NARROW_INCREMENT_H_
#define SHALE_REGION_NARROW_INCREMENT_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/region/increment_protocol.h"

namespace shale {

// Reads what is in memory, visible or not, and keeps its rows locked until its
// own write is durable: HBASE-15031's fast way. What waits for the log doesn't
// wait for other rows; but one row takes one sync for each operation, and an
// answer may come before a reader at the read point sees the write. One that
// doesn't wait for the log is answered when what it read is visible, which then
// is durable.
class NarrowIncrement final : public IncrementProtocol {
 public:
  bool waits_before_read() const override { return false; }
  void BeforeRead(Mvcc&, PendingWait*,
                  absl::AnyInvocable<void()> ready) override {
    ready();
  }
  bool holds_rows_until_durable() const override { return true; }
  int64_t barrier_waits() const override { return 0; }
  absl::string_view name() const override { return "narrow"; }
};

}  // namespace shale

#endif  // SHALE_REGION_NARROW_INCREMENT_H_
