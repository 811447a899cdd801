#ifndef SHALE_REGION_APPEND_H_
#define SHALE_REGION_APPEND_H_

#include <utility>

#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"
#include "shale/region/row_mutation.h"
#include "shale/region/update_options.h"

namespace shale {

// Lengthens the values of one or many columns of a row, in one step:
//
//   UpdateResult log = region.Append(Append("job").Add("f", "log", "done\n"));
//
// An absent value is empty. A column that is named twice gets both suffixes.
// A value type, as RowMutation.
class Append {
 public:
  explicit Append(absl::string_view row, UpdateOptions options = {})
      : mutation_(row), options_(options) {}

  // Values with timestamps outside of `range` don't exist for it.
  Append& Add(absl::string_view family, absl::string_view qualifier,
              absl::string_view suffix, TimeRange range = {}) {
    mutation_.Append(family, qualifier, suffix, range);
    return *this;
  }
  // As RowMutation::WithTags.
  Append& WithTags(absl::string_view tags) {
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

#endif  // SHALE_REGION_APPEND_H_
