#ifndef SHALE_TOOLS_BATCH_MUTATE_BATCH_RUN_H_
#define SHALE_TOOLS_BATCH_MUTATE_BATCH_RUN_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "shale/base/clock.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/benchmark/measurement.h"

namespace shale {

// How batches are applied.
struct BatchSetting {
  int threads = 1;
  int rows = 1;  // Of one batch.
  // All batches change the same rows: 100 % contention. Otherwise no two
  // batches of the whole run have a row in common: 0 %.
  bool same_rows = false;
};

struct BatchRun {
  Measurement measurement;
  // Half of the batches took no longer; exact, where the histogram rounds.
  double median_nanos = 0;
  // Pairs of row and timestamp that were acknowledged more than once.
  int64_t duplicates = 0;
};

// Applies `operations` batches to a new region, each put a 100-byte value, and
// times nothing but the call. Then reads back: DATA_LOSS if what is there isn't
// what was acknowledged. The log is this build's, on a device as `log` says;
// without one it is a stub, so that what is timed is the code of a commit.
absl::StatusOr<BatchRun> RunBatches(const BatchSetting& setting,
                                    const RowCommitSequencerVariant& sequencer,
                                    const std::optional<DeviceSpec>& log,
                                    int64_t operations, Clock& clock,
                                    absl::FunctionRef<void(int64_t)> watch);

}  // namespace shale

#endif  // SHALE_TOOLS_BATCH_MUTATE_BATCH_RUN_H_
