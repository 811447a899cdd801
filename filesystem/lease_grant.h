#ifndef SHALE_FILESYSTEM_LEASE_GRANT_H_
#define SHALE_FILESYSTEM_LEASE_GRANT_H_

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// One ownership of one directory, until it is ended. Thread-safe.
class LeaseGrant {
 public:
  // `begin` runs before the first mutation, and again before the next until it
  // succeeds: it records the token's epoch. `released` runs once, when the
  // grant ends.
  LeaseGrant(OwnerToken token, absl::AnyInvocable<absl::Status()> begin,
             absl::AnyInvocable<void()> released)
      : token_(std::move(token)),
        begin_(std::move(begin)),
        released_(std::move(released)) {}

  const OwnerToken& token() const { return token_; }
  bool held() const ABSL_LOCKS_EXCLUDED(mu_);

  // OK while it is held, else the kFenced error of a call on `name`.
  absl::Status Check(absl::string_view op, absl::string_view name) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // Runs `mutate` with the grant held throughout, or returns the error of
  // Check or of beginning. `mutate` may not end the grant.
  absl::Status Mutate(absl::string_view op, absl::string_view name,
                      absl::FunctionRef<absl::Status()> mutate) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // Waits for the mutations that run. Idempotent.
  void End() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  absl::Status CheckHeld(absl::string_view op, absl::string_view name) const
      ABSL_SHARED_LOCKS_REQUIRED(mu_);
  absl::Status Begin() const ABSL_LOCKS_EXCLUDED(begin_mu_);

  const OwnerToken token_;
  // Held shared while a mutation runs, so before all locks of a file system.
  mutable absl::Mutex mu_;
  bool held_ ABSL_GUARDED_BY(mu_) = true;
  // Held while `begin_` runs, I/O included. Order: mu_ -> this.
  mutable absl::Mutex begin_mu_;
  // Null once it has succeeded.
  mutable absl::AnyInvocable<absl::Status()> begin_ ABSL_GUARDED_BY(begin_mu_);
  absl::AnyInvocable<void()> released_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_LEASE_GRANT_H_
