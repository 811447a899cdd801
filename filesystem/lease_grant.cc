#include "shale/filesystem/lease_grant.h"

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/outcome.h"

namespace shale {

bool LeaseGrant::held() const {
  absl::ReaderMutexLock lock(&mu_);
  return held_;
}

absl::Status LeaseGrant::Check(absl::string_view op,
                               absl::string_view name) const {
  absl::ReaderMutexLock lock(&mu_);
  return CheckHeld(op, name);
}

absl::Status LeaseGrant::CheckHeld(absl::string_view op,
                                   absl::string_view name) const {
  if (held_) return absl::OkStatus();
  return FileError(FileOutcome::kFenced, op, name,
                   absl::StrCat("epoch ", token_.epoch, " of \"",
                                token_.directory, "\" has ended"));
}

absl::Status LeaseGrant::Mutate(
    absl::string_view op, absl::string_view name,
    absl::FunctionRef<absl::Status()> mutate) const {
  absl::ReaderMutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(CheckHeld(op, name));
  SHALE_RETURN_IF_ERROR(Begin());
  return mutate();
}

absl::Status LeaseGrant::Begin() const {
  absl::MutexLock lock(&begin_mu_);
  if (begin_ == nullptr) return absl::OkStatus();
  SHALE_RETURN_IF_ERROR(begin_());
  begin_ = nullptr;
  return absl::OkStatus();
}

void LeaseGrant::End() {
  absl::MutexLock lock(&mu_);
  if (!held_) return;
  held_ = false;
  released_();
  released_ = nullptr;
}

}  // namespace shale
