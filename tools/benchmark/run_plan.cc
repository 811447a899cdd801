#include "shale/tools/benchmark/run_plan.h"

namespace shale {

std::vector<PlannedRun> InterleavedPlan(int settings, int repetitions,
                                        int variants) {
  std::vector<PlannedRun> plan;
  for (int setting = 0; setting < settings; ++setting) {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      for (int variant = 0; variant < variants; ++variant) {
        plan.push_back({setting, repetition, variant});
      }
    }
  }
  return plan;
}

}  // namespace shale
