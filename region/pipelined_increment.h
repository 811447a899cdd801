#ifndef SHALE_REGION_PIPELINED_INCREMENT_H_
#define SHALE_REGION_PIPELINED_INCREMENT_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/region/increment_protocol.h"

namespace shale {

// Reads what is in memory, visible or not, and gives its rows back before its
// write is durable, so that all operations on one row share syncs. Safe since
// one log has one order: docs/concurrency.md, "Early release of row locks".
class PipelinedIncrement final : public IncrementProtocol {
 public:
  bool waits_before_read() const override { return false; }
  void BeforeRead(Mvcc&, PendingWait*,
                  absl::AnyInvocable<void()> ready) override {
    ready();
  }
  bool holds_rows_until_durable() const override { return false; }
  int64_t barrier_waits() const override { return 0; }
  absl::string_view name() const override { return "pipelined"; }
};

}  // namespace shale

#endif  // SHALE_REGION_PIPELINED_INCREMENT_H_
