#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_RUN_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_RUN_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/region/region_components.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/benchmark/measurement.h"
#include "shale/tools/increment_performance/row_choice.h"

namespace shale {

struct IncrementSetting {
  RowChoice rows;
  int threads = 1;
};

// How much is done, and where.
struct IncrementLoad {
  std::string table = "tableName";
  std::string family = "columnFamilyName";
  // Increments of one thread; without limit if `time_limit` has one.
  int64_t increments = 1;
  absl::Duration time_limit = absl::InfiniteDuration();
  DeviceSpec device;
};

struct IncrementRun {
  Measurement measurement;
};

// Increments one column of the chosen rows by 1, in a new region of these
// components, and times each call. Then checks every answer and every counter:
// DATA_LOSS if one is off.
absl::StatusOr<IncrementRun> RunIncrements(
    const IncrementSetting& setting, const IncrementLoad& load,
    const RegionComponents& components, uint64_t seed, Clock& clock,
    absl::FunctionRef<void(int64_t)> watch);

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_RUN_H_
