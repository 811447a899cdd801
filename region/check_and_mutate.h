#ifndef SHALE_REGION_CHECK_AND_MUTATE_H_
#define SHALE_REGION_CHECK_AND_MUTATE_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"
#include "shale/region/row_check.h"
#include "shale/region/row_mutation.h"
#include "shale/region/update_options.h"

namespace shale {

// Changes a row if its newest state is as expected, in one step:
//
//   UpdateResult taken = region.CheckAndMutate(
//       CheckAndMutate("seat 7", RowMutation("seat 7").Put("f", "by", "ada"))
//           .IfNotExists("f", "by"));
//   if (taken.status.ok() && taken.matched) ...
//
// Several conditions have to hold all. Cells without an explicit timestamp get
// the commit timestamp, or that of a checked cell if that is larger. The
// mutation may also increment and append.
// A value type, as RowMutation.
class CheckAndMutate {
 public:
  // INVALID_ARGUMENT later if `mutation` is of another row.
  CheckAndMutate(absl::string_view row, RowMutation mutation,
                 UpdateOptions options = {})
      : check_{std::string(row), {}},
        mutation_(std::move(mutation)),
        options_(options) {}

  // Values with timestamps outside of `range` don't exist for it.
  CheckAndMutate& If(absl::string_view family, absl::string_view qualifier,
                     Comparison comparison, absl::string_view value,
                     TimeRange range = {}) {
    check_.conditions.push_back({std::string(family), std::string(qualifier),
                                 comparison, std::string(value), range});
    return *this;
  }
  CheckAndMutate& IfEquals(absl::string_view family,
                           absl::string_view qualifier, absl::string_view value,
                           TimeRange range = {}) {
    return If(family, qualifier, Comparison::kEqual, value, range);
  }
  CheckAndMutate& IfNotExists(absl::string_view family,
                              absl::string_view qualifier,
                              TimeRange range = {}) {
    return If(family, qualifier, Comparison::kNotExists, "", range);
  }

  // The same as a batch.
  MutationBatch TakeBatch() {
    MutationBatch batch = UpdateBatch(std::move(mutation_), options_);
    batch.check = std::move(check_);
    return batch;
  }

 private:
  RowCheck check_;
  RowMutation mutation_;
  UpdateOptions options_;
};

}  // namespace shale

#endif  // SHALE_REGION_CHECK_AND_MUTATE_H_
