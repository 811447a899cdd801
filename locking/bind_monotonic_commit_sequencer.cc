#include <memory>

#include "shale/locking/monotonic_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer.h"

namespace shale {

std::unique_ptr<RowCommitSequencer> NewRowCommitSequencer(Clock& clock,
                                                          Executor&) {
  return std::make_unique<MonotonicCommitSequencer>(clock);
}

}  // namespace shale
