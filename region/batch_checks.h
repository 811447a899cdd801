// What a batch is refused for before anything of it is done. Pure.
#ifndef SHALE_REGION_BATCH_CHECKS_H_
#define SHALE_REGION_BATCH_CHECKS_H_

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"
#include "shale/region/column_family.h"
#include "shale/region/durability.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region_options.h"
#include "shale/region/row_mutation.h"

namespace shale {

std::optional<size_t> FindFamily(const RegionSchema& schema,
                                 absl::string_view name);

// The highest level among the mutations of `batch`. Those without one, and an
// empty batch, have the batch's, or else `otherwise`, which is not kDefault;
// levels that CheckBatch and CheckMutation refuse count as those.
Durability HighestDurability(const MutationBatch& batch, Durability otherwise);

// Of the batch as a whole: its level and its check.
absl::Status CheckBatch(const RegionSchema& schema, const MutationBatch& batch);

// `now` is for the timestamp slop alone.
absl::Status CheckMutation(const RegionSchema& schema,
                           const RegionOptions& options,
                           const RowMutation& mutation, Timestamp now);

// Of the cell that `edit` makes of these.
absl::Status CheckCellBytes(const RegionOptions& options, absl::string_view row,
                            const Edit& edit, absl::string_view value,
                            absl::string_view tags);

}  // namespace shale

#endif  // SHALE_REGION_BATCH_CHECKS_H_
