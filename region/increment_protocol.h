#ifndef SHALE_REGION_INCREMENT_PROTOCOL_H_
#define SHALE_REGION_INCREMENT_PROTOCOL_H_

#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"

namespace shale {

// What a read-modify-write (increment, append, check-and-mutate) of one region
// does so that it builds on its row's newest state: the two steps of a commit
// in which the variants differ. All of them read and write under exclusive row
// locks. Thread-safe. A seam.
class IncrementProtocol {
 public:
  virtual ~IncrementProtocol() = default;

  // False if BeforeRead never waits, so that nobody need be able to end that.
  virtual bool waits_before_read() const = 0;

  // Runs `ready` once the rows, which are locked, may be read: in the calling
  // thread if nothing is to be waited for, or if it may park for it, which it
  // may if `wait` isn't null: until then, or until that is given up
  // (Mvcc::WaitBarrierUnless).
  virtual void BeforeRead(Mvcc& mvcc, PendingWait* wait,
                          absl::AnyInvocable<void()> ready) = 0;

  // Whether the rows stay locked until the write is durable, and it is answered
  // then, visible or not. Otherwise they are given back as soon as the cells
  // are in the memstore, and it is answered when durable and visible.
  virtual bool holds_rows_until_durable() const = 0;

  // Times that BeforeRead had something to wait for: the cause of slowness.
  virtual int64_t barrier_waits() const = 0;

  // Of the variant: the value of --//region:increment. Valid for ever.
  virtual absl::string_view name() const = 0;
};

// The variant bound by --//region:increment.
std::unique_ptr<IncrementProtocol> NewIncrementProtocol();

}  // namespace shale

#endif  // SHALE_REGION_INCREMENT_PROTOCOL_H_
