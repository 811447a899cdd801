#ifndef SHALE_REGION_INCREMENT_H_
#define SHALE_REGION_INCREMENT_H_

#include <cstdint>
#include <utility>

#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"
#include "shale/region/row_mutation.h"
#include "shale/region/update_options.h"

namespace shale {

// Counts up one or many columns of a row, in one step:
//
//   UpdateResult hits = region.Increment(
//       Increment("page").Add("stats", "hits", 1).Add("stats", "bytes", n));
//
// A counter is 8 bytes, big-endian; an absent one is 0, and sums wrap around
// as signed 64-bit numbers. A column that is named twice is counted up twice.
// A column counted up by 0 isn't written.
// A value type, as RowMutation.
class Increment {
 public:
  explicit Increment(absl::string_view row, UpdateOptions options = {})
      : mutation_(row), options_(options) {}

  // Values with timestamps outside of `range` don't exist for it.
  Increment& Add(absl::string_view family, absl::string_view qualifier,
                 int64_t delta, TimeRange range = {}) {
    mutation_.Increment(family, qualifier, delta, range);
    return *this;
  }
  // As RowMutation::WithTags.
  Increment& WithTags(absl::string_view tags) {
    mutation_.WithTags(tags);
    return *this;
  }

  // The same as a batch.
  MutationBatch TakeBatch() {
    return UpdateBatch(std::move(mutation_), options_);
  }

 private:
  RowMutation mutation_;
  UpdateOptions options_;
};

}  // namespace shale

#endif  // SHALE_REGION_INCREMENT_H_
