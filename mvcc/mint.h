#ifndef SHALE_MVCC_MINT_H_
#define SHALE_MVCC_MINT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"

namespace shale {

// Mvcc::Begin's numbers: the `count` above `last`, which becomes the largest of
// them once `append` has succeeded. REQUIRES: no other call with this `last`
// runs meanwhile.
absl::StatusOr<BeginResult> Mint(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append,
    WriteNumber& last);

}  // namespace shale

#endif  // SHALE_MVCC_MINT_H_
