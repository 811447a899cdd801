#include <memory>

#include "shale/locking/no_commit_sequencer.h"
#include "shale/locking/row_commit_sequencer.h"

namespace shale {

std::unique_ptr<RowCommitSequencer> NewRowCommitSequencer(Clock& clock,
                                                          Executor&) {
  return std::make_unique<NoCommitSequencer>(clock);
}

}  // namespace shale
