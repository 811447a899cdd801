#ifndef SHALE_REGION_UPDATE_RESULT_H_
#define SHALE_REGION_UPDATE_RESULT_H_

#include <utility>

#include "absl/status/status.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/row_result.h"

namespace shale {

// What became of an Increment, Append or CheckAndMutate; the fields are those
// of ApplyResult.
struct UpdateResult {
  absl::Status status;
  bool matched = true;
  RowResult row;
  Timestamp commit_timestamp = 0;
  WriteRange range;

  UpdateResult() = default;
  // REQUIRES: the result of a batch of one mutation.
  explicit UpdateResult(ApplyResult result)
      : status(result.status()),
        matched(result.matched),
        commit_timestamp(result.commit_timestamp),
        range(result.range) {
    if (!result.rows.empty()) row = std::move(result.rows.front());
  }
};

}  // namespace shale

#endif  // SHALE_REGION_UPDATE_RESULT_H_
