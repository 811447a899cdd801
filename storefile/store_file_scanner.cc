#include "shale/storefile/store_file_scanner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"

namespace shale {

StoreFileScanner::StoreFileScanner(const BlockReader& blocks,
                                   const LoadedIndex& index,
                                   absl::string_view family, CacheFill fill)
    : blocks_(blocks), index_(blocks, index, fill), fill_(fill) {
  cell_.family = family;
}

absl::Status StoreFileScanner::Seek(absl::string_view key) {
  if (status_.ok()) Settle(SeekTo(key));
  return status_;
}

absl::Status StoreFileScanner::Next() {
  if (!status_.ok()) return status_;
  SHALE_CHECK(at_cell_);
  absl::Status status = cursor_.Next();
  if (!status.ok()) {
    status = OfBlock(std::move(status));
  } else {
    status = cursor_.valid() ? TakeCell() : ToNextBlock();
  }
  Settle(std::move(status));
  return status_;
}

absl::Status StoreFileScanner::SeekTo(absl::string_view key) {
  if (!key.empty() && !IsComparableCellKey(key)) {
    return absl::InvalidArgumentError(
        absl::StrCat("seek to ", key.size(), " bytes that are no cell key"));
  }
  at_cell_ = false;
  const bool in_block = block_ != nullptr && !key.empty() && index_.Covers(key);
  if (!in_block) {
    SHALE_RETURN_IF_ERROR(key.empty() ? index_.SeekToFirst()
                                      : index_.Seek(key));
    SHALE_RETURN_IF_ERROR(LoadBlock());
    if (block_ == nullptr) return absl::OkStatus();
  }
  SHALE_RETURN_IF_ERROR(
      OfBlock(key.empty() ? cursor_.SeekToRestart(0) : cursor_.Seek(key)));
  return cursor_.valid() ? TakeCell() : ToNextBlock();
}

absl::Status StoreFileScanner::ToNextBlock() {
  at_cell_ = false;
  SHALE_RETURN_IF_ERROR(index_.Next());
  SHALE_RETURN_IF_ERROR(LoadBlock());
  if (block_ == nullptr) return absl::OkStatus();
  SHALE_RETURN_IF_ERROR(OfBlock(cursor_.SeekToRestart(0)));
  return TakeCell();
}

absl::Status StoreFileScanner::LoadBlock() {
  block_ = nullptr;
  if (!index_.valid()) return absl::OkStatus();
  SHALE_ASSIGN_OR_RETURN(block_,
                         blocks_.Read(index_.block(), BlockKind::kData, fill_));
  return OfBlock(cursor_.Reset(*block_));
}

absl::Status StoreFileScanner::TakeCell() {
  if (!ParseCellKey(cursor_.key(), &cell_)) {
    return OfBlock(absl::DataLossError(absl::StrCat(
        "key of no cell: entry at byte ", cursor_.entry_offset())));
  }
  cell_.value = cursor_.value();
  cell_.tags = cursor_.tags();
  at_cell_ = true;
  return absl::OkStatus();
}

void StoreFileScanner::Settle(absl::Status status) {
  if (status.ok()) return;
  at_cell_ = false;
  block_ = nullptr;
  status_ = std::move(status);
}

absl::Status StoreFileScanner::OfBlock(absl::Status status) const {
  return blocks_.file().Annotated(std::move(status), index_.block(),
                                  BlockKind::kData);
}

}  // namespace shale
