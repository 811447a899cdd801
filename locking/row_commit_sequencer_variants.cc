#include "shale/locking/row_commit_sequencer_variants.h"

#include "shale/locking/monotonic_commit_sequencer.h"
#include "shale/locking/no_commit_sequencer.h"
#include "shale/locking/tick_commit_sequencer.h"

namespace shale {
namespace {

std::unique_ptr<RowCommitSequencer> CreateNo(Clock& clock, Executor&) {
  return std::make_unique<NoCommitSequencer>(clock);
}

std::unique_ptr<RowCommitSequencer> CreateTick(Clock& clock,
                                               Executor& executor) {
  return std::make_unique<TickCommitSequencer>(clock, executor);
}

std::unique_ptr<RowCommitSequencer> CreateMonotonic(Clock& clock, Executor&) {
  return std::make_unique<MonotonicCommitSequencer>(clock);
}

constexpr RowCommitSequencerVariant kVariants[] = {
    {"off", CreateNo},
    {"tick", CreateTick},
    {"monotonic", CreateMonotonic},
};

}  // namespace

absl::Span<const RowCommitSequencerVariant> RowCommitSequencerVariants() {
  return kVariants;
}

}  // namespace shale
