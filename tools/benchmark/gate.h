#ifndef SHALE_TOOLS_BENCHMARK_GATE_H_
#define SHALE_TOOLS_BENCHMARK_GATE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "shale/tools/benchmark/sample.h"
#include "shale/tools/console/printer.h"

namespace shale {

// Something that is claimed, and what was measured for it.
struct Gate {
  enum class Bound { kAtLeast, kAtMost };

  std::string claim;
  Sample measured;
  Bound bound = Bound::kAtLeast;
  double limit = 0;
  // What the quantity would be if there were nothing to claim: 1 for the ratio
  // of two equal variants.
  double neutral = 1;
};

enum class Verdict {
  kPass,
  kFail,
  // The repetitions are too few, or lie further apart than what is claimed and
  // don't agree: nothing can be said.
  kUnclear,
};

// What fewer repetitions say is no verdict.
inline constexpr size_t kFewestRepetitions = 5;

// The median decides, if either every repetition says the same or their spread
// is at most |limit - neutral|.
Verdict Judge(const Gate& gate);

// Prints each gate with what was measured and its verdict. FAILED_PRECONDITION
// telling how many don't hold, or are unclear, if there are such or no gate at
// all.
absl::Status PrintGates(absl::Span<const Gate> gates, Printer& printer);

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_GATE_H_
