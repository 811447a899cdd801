#include <memory>

#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/tick_commit_sequencer.h"

namespace shale {

std::unique_ptr<RowCommitSequencer> NewRowCommitSequencer(Clock& clock,
                                                          Executor& executor) {
  return std::make_unique<TickCommitSequencer>(clock, executor);
}

}  // namespace shale
