#ifndef SHALE_MVCC_TESTING_FORWARDING_MVCC_H_
#define SHALE_MVCC_TESTING_FORWARDING_MVCC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/read_pin.h"

namespace shale {

// Another Mvcc; a test overrides what it wants otherwise. Thread-safe.
class ForwardingMvcc : public Mvcc {
 public:
  explicit ForwardingMvcc(std::unique_ptr<Mvcc> base)
      : base_(std::move(base)) {}

  void Reserve(absl::AnyInvocable<void()> granted) override {
    base_->Reserve(std::move(granted));
  }
  bool TryReserve() override { return base_->TryReserve(); }
  void CancelReservation() override { base_->CancelReservation(); }
  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) override {
    return base_->Begin(count, append);
  }
  void MarkInserted(WriteRange range) override { base_->MarkInserted(range); }
  void MarkDurable(LogPosition position) override {
    base_->MarkDurable(position);
  }
  void Complete(WriteRange range) override { base_->Complete(range); }
  void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) override {
    base_->OnVisible(range, std::move(done));
  }
  bool WaitVisibleUnless(WriteRange range, PendingWait& wait) override {
    return base_->WaitVisibleUnless(range, wait);
  }
  bool WaitBarrierUnless(PendingWait& wait) override {
    return base_->WaitBarrierUnless(wait);
  }
  void GiveUp(PendingWait& wait) override { base_->GiveUp(wait); }
  void EndWaits() override { base_->EndWaits(); }
  void Barrier(absl::AnyInvocable<void()> done) override {
    base_->Barrier(std::move(done));
  }
  WriteNumber ReadPoint() const override { return base_->ReadPoint(); }
  WriteNumber WritePoint() const override { return base_->WritePoint(); }
  absl::Status AdvanceTo(WriteNumber number) override {
    return base_->AdvanceTo(number);
  }
  ReadPin Pin() override { return base_->Pin(); }
  WriteNumber SmallestPinned() const override {
    return base_->SmallestPinned();
  }
  std::vector<std::string> StuckWrites(absl::Duration age) const override {
    return base_->StuckWrites(age);
  }
  MvccStats stats() const override { return base_->stats(); }
  absl::string_view name() const override { return base_->name(); }

 private:
  const std::unique_ptr<Mvcc> base_;
};

}  // namespace shale

#endif  // SHALE_MVCC_TESTING_FORWARDING_MVCC_H_
