#include "shale/filesystem/lease_grants.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

class GrantedLease final : public Lease {
 public:
  explicit GrantedLease(std::shared_ptr<LeaseGrant> grant)
      : grant_(std::move(grant)) {}
  ~GrantedLease() override { grant_->End(); }

  const OwnerToken& token() const override { return grant_->token(); }
  bool held() const override { return grant_->held(); }

 private:
  const std::shared_ptr<LeaseGrant> grant_;
};

}  // namespace

std::unique_ptr<Lease> LeaseGrants::Grant(
    OwnerToken token, absl::AnyInvocable<absl::Status()> begin,
    absl::AnyInvocable<void()> released) {
  const std::string directory = token.directory;
  SHALE_CHECK(HeldGrant(directory) == nullptr) << directory;
  auto grant = std::make_shared<LeaseGrant>(std::move(token), std::move(begin),
                                            std::move(released));
  absl::MutexLock lock(&mu_);
  grants_[directory] = grant;
  return std::make_unique<GrantedLease>(std::move(grant));
}

uint64_t LeaseGrants::LastEpoch(absl::string_view directory) const {
  absl::MutexLock lock(&mu_);
  const auto found = grants_.find(directory);
  return found == grants_.end() ? 0 : found->second->token().epoch;
}

std::shared_ptr<LeaseGrant> LeaseGrants::HeldGrant(
    absl::string_view directory) const {
  std::shared_ptr<LeaseGrant> grant;
  {
    absl::MutexLock lock(&mu_);
    const auto found = grants_.find(directory);
    if (found != grants_.end()) grant = found->second;
  }
  return grant != nullptr && grant->held() ? grant : nullptr;
}

absl::StatusOr<std::shared_ptr<LeaseGrant>> LeaseGrants::Find(
    absl::string_view op, absl::string_view name,
    const OwnerToken& token) const {
  SHALE_RETURN_IF_ERROR(CheckFileName(op, name));
  if (!IsWithinDirectory(name, token.directory)) {
    return FileError(
        FileOutcome::kInvalid, op, name,
        absl::StrCat("the token is for \"", token.directory, "\""));
  }
  std::shared_ptr<LeaseGrant> grant = HeldGrant(token.directory);
  if (grant == nullptr || grant->token().epoch != token.epoch) {
    return FileError(FileOutcome::kFenced, op, name,
                     absl::StrCat("epoch ", token.epoch, " of \"",
                                  token.directory, "\" is not held here"));
  }
  return grant;
}

absl::Status LeaseGrants::Mutate(
    absl::string_view op, absl::string_view name, const OwnerToken& token,
    absl::FunctionRef<absl::Status()> mutate) const {
  SHALE_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseGrant> grant,
                         Find(op, name, token));
  return grant->Mutate(op, name, mutate);
}

void LeaseGrants::EndAll() {
  std::vector<std::shared_ptr<LeaseGrant>> grants;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& [directory, grant] : grants_) grants.push_back(grant);
  }
  for (const std::shared_ptr<LeaseGrant>& grant : grants) grant->End();
}

}  // namespace shale
