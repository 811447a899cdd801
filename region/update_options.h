#ifndef SHALE_REGION_UPDATE_OPTIONS_H_
#define SHALE_REGION_UPDATE_OPTIONS_H_

#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "shale/region/mutation_batch.h"

namespace shale {

// How an operation that depends on what is there is done: Increment, Append,
// CheckAndMutate.
struct UpdateOptions {
  Durability durability = Durability::kDefault;
  // Whether the result has the new cells of increments and appends.
  bool want_results = true;
  // Of an operation that may be sent again; zero: none.
  Nonce nonce = {};
  // Longest wait, from begin to confirmation; RegionOptions has the default and
  // the maximum, which longer ones count as. Zero, as which less counts: what
  // needs no wait is done, and the rest is answered as when the time is up.
  std::optional<absl::Duration> timeout = std::nullopt;
};

// `mutation` as a batch of its own.
inline MutationBatch UpdateBatch(RowMutation mutation,
                                 const UpdateOptions& options) {
  MutationBatch batch;
  batch.mutations.push_back(std::move(mutation));
  batch.atomic = true;
  batch.durability = options.durability;
  batch.want_results = options.want_results;
  batch.nonce = options.nonce;
  batch.timeout = options.timeout;
  return batch;
}

}  // namespace shale

#endif  // SHALE_REGION_UPDATE_OPTIONS_H_
