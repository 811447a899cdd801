#ifndef SHALE_REGION_TESTING_MODEL_RUNNER_H_
#define SHALE_REGION_TESTING_MODEL_RUNNER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "shale/cell/timestamp.h"
#include "shale/region/region_components.h"
#include "shale/region/testing/model_script.h"

namespace shale {

// What became of a script's steps, one entry for each.
struct ModelRun {
  // Statuses of writes, results of reads; of other steps, errors alone.
  std::vector<std::string> answers;
  // 0 for steps that commit nothing.
  std::vector<Timestamp> commit_timestamps;
};

// Runs `script` on a new region in memory, with a clock that the script moves.
ModelRun RunOnRegion(
    const ModelScript& script,
    const RegionComponents& components = DefaultRegionComponents());

// Runs it on a NaiveRegion, told of every flush and compaction. The commits get
// `commit_timestamps`, since only the region's sequencer knows them.
ModelRun RunOnTwin(const ModelScript& script,
                   const std::vector<Timestamp>& commit_timestamps);

// The first step that the two answer differently.
std::optional<size_t> FirstDifference(const ModelRun& a, const ModelRun& b);

// Takes indices away from 0 to `count` - 1, in ever smaller pieces, as long as
// what is left `fails`. Gives up after `attempts` calls of it.
std::vector<size_t> ShrinkIndices(
    size_t count, int attempts,
    absl::FunctionRef<bool(const std::vector<size_t>&)> fails);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_MODEL_RUNNER_H_
