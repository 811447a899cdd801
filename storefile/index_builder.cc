#include "shale/storefile/index_builder.h"

#include <utility>

#include "shale/base/status_macros.h"

namespace shale {

IndexBuilder::IndexBuilder(size_t block_bytes, BlockWriter& writer)
    : block_bytes_(block_bytes), writer_(writer) {}

absl::Status IndexBuilder::Add(absl::string_view separator, BlockHandle block) {
  return AddTo(0, separator, block);
}

absl::Status IndexBuilder::AddTo(size_t level, absl::string_view separator,
                                 BlockHandle block) {
  if (level == levels_.size()) levels_.emplace_back();
  // A full block ends only here, before the next entry: so there is no level
  // above the last block of all.
  const BlockBuilder& current = levels_[level].block;
  if (current.raw_bytes() >= block_bytes_ && current.entries() > 1) {
    SHALE_RETURN_IF_ERROR(EndBlock(level));
  }
  Level& to = levels_[level];
  if (to.block.empty()) to.first_separator = std::string(separator);
  std::string value;
  PutBlockHandle(block, &value);
  to.block.Add(separator, value, /*tags=*/"");
  return absl::OkStatus();
}

absl::Status IndexBuilder::EndBlock(size_t level) {
  SHALE_ASSIGN_OR_RETURN(
      const BlockHandle handle,
      writer_.Write(BlockKind::kIndex, levels_[level].block.Finish()));
  const std::string separator = std::move(levels_[level].first_separator);
  return AddTo(level + 1, separator, handle);
}

absl::Status IndexBuilder::FinishLowerLevels() {
  for (size_t level = 0; level + 1 < levels_.size(); ++level) {
    SHALE_RETURN_IF_ERROR(EndBlock(level));
  }
  return absl::OkStatus();
}

absl::StatusOr<IndexRoot> IndexBuilder::FinishRoot() {
  IndexRoot root;
  if (levels_.empty()) return root;
  root.levels = static_cast<int>(levels_.size());
  SHALE_ASSIGN_OR_RETURN(
      root.handle,
      writer_.Write(BlockKind::kIndex, levels_.back().block.Finish()));
  return root;
}

}  // namespace shale
