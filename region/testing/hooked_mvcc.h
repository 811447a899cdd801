// An Mvcc that asks the test before a step that an interleaving turns on.
#ifndef SHALE_REGION_TESTING_HOOKED_MVCC_H_
#define SHALE_REGION_TESTING_HOOKED_MVCC_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/read_pin.h"
#include "shale/mvcc/testing/forwarding_mvcc.h"

namespace shale {

// What is run in the thread that does the step, before it; it may block, and
// use the region. Null: nothing. To be set while no other thread uses the
// region.
struct MvccHooks {
  std::function<void()> before_pin;
  // Numbers are minted and the log has the entry; nothing is in the memstore.
  std::function<void(const BeginResult&)> after_begin;
  // The cells are in the memstore, the rows still locked.
  std::function<void(WriteRange)> before_inserted;
};

// Thread-safe, if the hooks are.
class HookedMvcc final : public ForwardingMvcc {
 public:
  // `hooks` outlives it.
  HookedMvcc(std::unique_ptr<Mvcc> base, const MvccHooks& hooks)
      : ForwardingMvcc(std::move(base)), hooks_(hooks) {}

  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) override {
    absl::StatusOr<BeginResult> begun = ForwardingMvcc::Begin(count, append);
    if (hooks_.after_begin && begun.ok()) hooks_.after_begin(*begun);
    return begun;
  }
  void MarkInserted(WriteRange range) override {
    if (hooks_.before_inserted) hooks_.before_inserted(range);
    ForwardingMvcc::MarkInserted(range);
  }
  ReadPin Pin() override {
    if (hooks_.before_pin) hooks_.before_pin();
    return ForwardingMvcc::Pin();
  }

 private:
  const MvccHooks& hooks_;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_HOOKED_MVCC_H_
