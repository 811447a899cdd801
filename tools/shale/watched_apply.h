#ifndef SHALE_TOOLS_SHALE_WATCHED_APPLY_H_
#define SHALE_TOOLS_SHALE_WATCHED_APPLY_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region.h"

namespace shale {

// Region::Apply, which meanwhile, now and then, tells what it waits for:
// nothing ("") unless the region is stalled, else "stalled: the cause,
// waiting". `clock` is the region's.
ApplyResult WatchedApply(Region& region, MutationBatch batch, Clock& clock,
                         absl::FunctionRef<void(absl::string_view)> tell);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_WATCHED_APPLY_H_
