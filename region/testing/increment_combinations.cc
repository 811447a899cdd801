#include "shale/region/testing/increment_combinations.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/region/increment_variants.h"
#include "shale/region/region_components.h"

namespace shale {

std::vector<IncrementCombination> IncrementMvccCombinations() {
  std::vector<IncrementCombination> combinations;
  for (const IncrementVariant& increment : IncrementVariants()) {
    for (const MvccVariant& mvcc : MvccVariants()) {
      IncrementCombination& made = combinations.emplace_back();
      made.name = absl::StrCat(increment.name, "_", mvcc.name);
      made.increment = increment.name;
      made.options.components = DefaultRegionComponents();
      made.options.components.increment = increment.create;
      made.options.components.mvcc = mvcc.create;
      made.options.components.commit_sequencer =
          RowCommitSequencerVariants().front().create;
    }
  }
  return combinations;
}

std::vector<IncrementCombination> IncrementSequencerCombinations() {
  std::vector<IncrementCombination> combinations;
  for (const IncrementVariant& increment : IncrementVariants()) {
    for (const RowCommitSequencerVariant& sequencer :
         RowCommitSequencerVariants().subspan(1)) {
      IncrementCombination& made = combinations.emplace_back();
      made.name = absl::StrCat(increment.name, "_", sequencer.name);
      made.increment = increment.name;
      made.options.components = DefaultRegionComponents();
      made.options.components.increment = increment.create;
      made.options.components.commit_sequencer = sequencer.create;
    }
  }
  return combinations;
}

std::vector<IncrementCombination> IncrementCombinations() {
  std::vector<IncrementCombination> combinations = IncrementMvccCombinations();
  for (IncrementCombination& more : IncrementSequencerCombinations()) {
    combinations.push_back(std::move(more));
  }
  return combinations;
}

std::vector<IncrementCombination> IncrementFailureCombinations() {
  std::vector<IncrementCombination> combinations = IncrementMvccCombinations();
  std::vector<IncrementCombination> others = IncrementSequencerCombinations();
  const auto shipped =
      absl::c_find_if(others, [](const IncrementCombination& other) {
        return other.name == kShippedIncrementCombination;
      });
  SHALE_CHECK(shipped != others.end());
  combinations.push_back(std::move(*shipped));
  return combinations;
}

}  // namespace shale
