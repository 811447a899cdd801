#ifndef SHALE_FILESYSTEM_SHARED_LEASE_H_
#define SHALE_FILESYSTEM_SHARED_LEASE_H_

#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// What FileSystem::Share gives: `released` runs when it goes. Thread-safe.
class SharedLease final : public Lease {
 public:
  SharedLease(std::string directory, absl::AnyInvocable<void()> released)
      : token_{std::move(directory), 0, ""}, released_(std::move(released)) {}
  ~SharedLease() override { released_(); }

  const OwnerToken& token() const override { return token_; }
  bool held() const override { return true; }

 private:
  const OwnerToken token_;
  absl::AnyInvocable<void()> released_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_SHARED_LEASE_H_
