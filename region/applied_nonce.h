#ifndef SHALE_REGION_APPLIED_NONCE_H_
#define SHALE_REGION_APPLIED_NONCE_H_

#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/wal/log_entry.h"

namespace shale {

// What is kept, in the log or in the manifest, of an operation with a nonce.
struct AppliedNonce {
  Nonce nonce;
  WriteRange range;
  Timestamp commit_timestamp = 0;

  friend bool operator==(const AppliedNonce&, const AppliedNonce&) = default;
};

}  // namespace shale

#endif  // SHALE_REGION_APPLIED_NONCE_H_
