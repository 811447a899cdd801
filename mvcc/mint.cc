#include "shale/mvcc/mint.h"

#include "shale/base/check.h"
#include "shale/base/status_macros.h"

namespace shale {

absl::StatusOr<BeginResult> Mint(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append,
    WriteNumber& last) {
  SHALE_CHECK(count >= 1) << "count " << count;
  const WriteRange range{last + 1, last + static_cast<uint64_t>(count)};
  SHALE_ASSIGN_OR_RETURN(const Appended appended, append(range));
  last = range.last;
  return BeginResult{range, appended.durable_at};
}

}  // namespace shale
