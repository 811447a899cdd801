#ifndef SHALE_TOOLS_BENCHMARK_RUN_PLAN_H_
#define SHALE_TOOLS_BENCHMARK_RUN_PLAN_H_

#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// Which run comes when; all counted from 0.
struct PlannedRun {
  int setting = 0;  // Such as a number of threads.
  int repetition = 0;
  int variant = 0;

  friend bool operator==(const PlannedRun&, const PlannedRun&) = default;
};

// Every variant under every setting, `repetitions` times. Variants alternate,
// A B A B ..., so that a machine that is slow for a while is slow for all.
std::vector<PlannedRun> InterleavedPlan(int settings, int repetitions,
                                        int variants);

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_RUN_PLAN_H_
