#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_GATES_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_GATES_H_

#include <vector>

#include "shale/tools/benchmark/gate.h"
#include "shale/tools/increment_performance/increment_report.h"

namespace shale {

// What is claimed of the variants, as far as the runs that it takes were made:
// on random rows the repaired write numbering against the regressed one, their
// scaling, and `narrow` against `consistent`; on any rows the ring's wake-ups,
// switches and tail, and `pipelined` against `narrow`, which has to be far
// better on one hot counter.
std::vector<Gate> IncrementGates(const IncrementResults& results);

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_GATES_H_
