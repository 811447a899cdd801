#include "shale/locking/row_commit_sequencer_variants.h"

#include "shale/locking/no_commit_sequencer.h"

namespace shale {
namespace {

std::unique_ptr<RowCommitSequencer> CreateNo(Clock& clock, Executor&) {
  return std::make_unique<NoCommitSequencer>(clock);
}

constexpr RowCommitSequencerVariant kVariants[] = {
    {"off", CreateNo},
};

}  // namespace

absl::Span<const RowCommitSequencerVariant> RowCommitSequencerVariants() {
  return kVariants;
}

}  // namespace shale
