#ifndef SHALE_TOOLS_BENCHMARK_RUN_TABLE_H_
#define SHALE_TOOLS_BENCHMARK_RUN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/status_macros.h"
#include "shale/tools/benchmark/run_plan.h"
#include "shale/tools/benchmark/sample.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/progress.h"

namespace shale {

// One quantity of each repetition. `of` takes a Run and gives a number.
template <typename Run, typename Of>
Sample SampleOf(const std::vector<Run>& repetitions, Of of) {
  Sample sample;
  for (const Run& run : repetitions) sample.Add(of(run));
  return sample;
}

// The runs of a plan by setting, variant and repetition.
template <typename Run>
class RunTable {
 public:
  RunTable(int settings, int variants)
      : runs_(settings, std::vector<std::vector<Run>>(variants)) {}

  // Carries out `plan`, telling on console.err how far it is. `run` makes one
  // run and calls the function it is given, now and then, with the operations
  // done so far in it. Ends with the first error.
  absl::Status Execute(
      const std::vector<PlannedRun>& plan, Console& console,
      absl::FunctionRef<absl::StatusOr<Run>(
          const PlannedRun&, absl::FunctionRef<void(int64_t)> watch)>
          run) {
    Progress progress(console.err, console.terminal_columns, console.clock,
                      "measuring", "operations", plan.size());
    int64_t operations = 0;
    for (size_t i = 0; i < plan.size(); ++i) {
      SHALE_ASSIGN_OR_RETURN(Run done, run(plan[i], [&](int64_t in_run) {
                               progress.Update(i, operations + in_run);
                             }));
      operations += done.measurement.operations();
      progress.Update(i + 1, operations);
      runs_[plan[i].setting][plan[i].variant].push_back(std::move(done));
    }
    return absl::OkStatus();
  }

  const std::vector<Run>& At(int setting, int variant) const {
    return runs_[setting][variant];
  }

 private:
  std::vector<std::vector<std::vector<Run>>> runs_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_RUN_TABLE_H_
