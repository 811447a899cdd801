#include "shale/storefile/index_cursor.h"

#include <utility>

#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"

namespace shale {
IndexCursor::IndexCursor(const BlockReader& blocks, const LoadedIndex& index,
                         CacheFill fill)
    : blocks_(blocks), index_(index), fill_(fill) {}

absl::Status IndexCursor::Seek(absl::string_view key) {
  return SeekBy([&](Step& step) -> absl::Status {
    SHALE_ASSIGN_OR_RETURN(step.entry, step.cursor.FindRestart(key));
    return absl::OkStatus();
  });
}

absl::Status IndexCursor::SeekToFirst() { return SeekBy(FirstEntry); }

absl::Status IndexCursor::SeekToOffset(uint64_t offset) {
  // An index block lies behind all that it leads to, so the same choice is
  // right at every level.
  return SeekBy([&](Step& step) -> absl::Status {
    SHALE_RETURN_IF_ERROR(MoveToEntry(step));
    while (block_.end() <= offset && step.entry + 1 < step.cursor.restarts()) {
      ++step.entry;
      SHALE_RETURN_IF_ERROR(MoveToEntry(step));
    }
    return absl::OkStatus();
  });
}

absl::Status IndexCursor::Next() {
  SHALE_CHECK(valid_);
  valid_ = false;
  // Up to the first level with a further entry, and down its left edge.
  while (!path_.empty()) {
    Step& step = path_.back();
    if (++step.entry < step.cursor.restarts()) {
      SHALE_RETURN_IF_ERROR(blocks_.file().Annotated(
          MoveToEntry(step), step.handle, BlockKind::kIndex));
      return Descend(FirstEntry);
    }
    path_.pop_back();
  }
  return absl::OkStatus();
}

bool IndexCursor::Covers(absl::string_view key) const {
  if (CompareCellKeys(path_.back().cursor.key(), key) > 0) return false;
  // The next block's separator is that of the lowest level's next entry, or of
  // the one above: there it's the separator of the next block's index block.
  for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
    if (step->entry + 1 == step->cursor.restarts()) continue;
    const absl::StatusOr<absl::string_view> next =
        step->cursor.RestartKey(step->entry + 1);
    return next.ok() && CompareCellKeys(key, *next) < 0;
  }
  return true;
}

absl::Status IndexCursor::SeekBy(Choose choose) {
  valid_ = false;
  path_.clear();
  if (index_.root.levels == 0) return absl::OkStatus();
  SHALE_RETURN_IF_ERROR(Push(index_.root.handle, index_.block, choose));
  return Descend(choose);
}

absl::Status IndexCursor::Descend(Choose choose) {
  while (path_.size() < static_cast<size_t>(index_.root.levels)) {
    const BlockHandle handle = block_;
    SHALE_ASSIGN_OR_RETURN(BlockRef block,
                           blocks_.Read(handle, BlockKind::kIndex, fill_));
    SHALE_RETURN_IF_ERROR(Push(handle, std::move(block), choose));
  }
  valid_ = true;
  return absl::OkStatus();
}

absl::Status IndexCursor::Push(BlockHandle handle, BlockRef block,
                               Choose choose) {
  Step& step = path_.emplace_back();
  step.handle = handle;
  step.block = std::move(block);
  absl::Status status = step.cursor.Reset(*step.block);
  if (status.ok()) status = choose(step);
  if (status.ok()) status = MoveToEntry(step);
  return blocks_.file().Annotated(std::move(status), handle, BlockKind::kIndex);
}

absl::Status IndexCursor::MoveToEntry(Step& step) {
  SHALE_RETURN_IF_ERROR(step.cursor.SeekToRestart(step.entry));
  SHALE_ASSIGN_OR_RETURN(block_,
                         ReadIndexEntry(step.handle, step.cursor.value()));
  return absl::OkStatus();
}

}  // namespace shale
