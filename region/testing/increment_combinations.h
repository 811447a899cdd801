#ifndef SHALE_REGION_TESTING_INCREMENT_COMBINATIONS_H_
#define SHALE_REGION_TESTING_INCREMENT_COMBINATIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/region/host_options.h"

namespace shale {

struct IncrementCombination {
  std::string name;
  absl::string_view increment;  // The variant's name.
  HostOptions options;
};

// Every variant of the increment with every one of the seams that it works
// with: of mvcc, the sequencer being off, then of the sequencer.
std::vector<IncrementCombination> IncrementCombinations();

// Those with the sequencer off: they run on a clock that stands still.
std::vector<IncrementCombination> IncrementMvccCombinations();
// The others.
std::vector<IncrementCombination> IncrementSequencerCombinations();

// The name of the one that a build without flags is made of.
inline constexpr absl::string_view kShippedIncrementCombination =
    "pipelined_monotonic";
// Those with the sequencer off, and the shipped one: for failures, in which
// sequencers differ little and sweeps are long.
std::vector<IncrementCombination> IncrementFailureCombinations();

}  // namespace shale

#endif  // SHALE_REGION_TESTING_INCREMENT_COMBINATIONS_H_
