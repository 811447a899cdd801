#ifndef SHALE_LOCKING_ROW_COMMIT_SEQUENCER_VARIANTS_H_
#define SHALE_LOCKING_ROW_COMMIT_SEQUENCER_VARIANTS_H_

#include <memory>

#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/locking/row_commit_sequencer.h"

namespace shale {

// One variant of the seam, under the name that --//locking:commit_sequencer
// gives it.
struct RowCommitSequencerVariant {
  const char* name;
  std::unique_ptr<RowCommitSequencer> (*create)(Clock& clock,
                                                Executor& executor);
};

// All of them, `off` first, for code that compares them in one process: tests,
// benchmarks, tools.
absl::Span<const RowCommitSequencerVariant> RowCommitSequencerVariants();

}  // namespace shale

#endif  // SHALE_LOCKING_ROW_COMMIT_SEQUENCER_VARIANTS_H_
