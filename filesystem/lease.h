#ifndef SHALE_FILESYSTEM_LEASE_H_
#define SHALE_FILESYSTEM_LEASE_H_

#include "shale/filesystem/owner_token.h"

namespace shale {

// Ownership of a directory, from FileSystem::Acquire until it is destroyed.
// Where ownership expires, the file system renews it for as long as this lives
// (docs/decisions/0014-leases-renew-themselves.md). Thread-safe.
class Lease {
 public:
  virtual ~Lease() = default;

  // The token for every mutating call.
  virtual const OwnerToken& token() const = 0;

  // False once another owner has taken over; from then on every mutation with
  // the token fails as fenced.
  virtual bool held() const = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_LEASE_H_
