// Ownership of directories within one process: what memory and posix share.
#ifndef SHALE_FILESYSTEM_LEASE_GRANTS_H_
#define SHALE_FILESYSTEM_LEASE_GRANTS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/lease_grant.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// The grants of one file system. Thread-safe. What it hands out may outlive it.
class LeaseGrants {
 public:
  // A lease that ends its grant when it is destroyed. REQUIRES: no grant of
  // token.directory is held.
  // `begin` and `released` are LeaseGrant's.
  std::unique_ptr<Lease> Grant(OwnerToken token,
                               absl::AnyInvocable<absl::Status()> begin,
                               absl::AnyInvocable<void()> released)
      ABSL_LOCKS_EXCLUDED(mu_);

  // The epoch of the last grant of that directory, held or ended; or 0.
  uint64_t LastEpoch(absl::string_view directory) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // The held grant of that directory, or null.
  std::shared_ptr<LeaseGrant> HeldGrant(absl::string_view directory) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // The grant that lets `token` change `name`. kInvalid for a bad name and for
  // one that the token doesn't cover, kFenced without such a grant.
  absl::StatusOr<std::shared_ptr<LeaseGrant>> Find(
      absl::string_view op, absl::string_view name,
      const OwnerToken& token) const ABSL_LOCKS_EXCLUDED(mu_);

  // Find, then Mutate.
  absl::Status Mutate(absl::string_view op, absl::string_view name,
                      const OwnerToken& token,
                      absl::FunctionRef<absl::Status()> mutate) const
      ABSL_LOCKS_EXCLUDED(mu_);

  void EndAll() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  mutable absl::Mutex mu_;  // A leaf.
  // The last grant of each directory, held or ended.
  absl::flat_hash_map<std::string, std::shared_ptr<LeaseGrant>> grants_
      ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_LEASE_GRANTS_H_
