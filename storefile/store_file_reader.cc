#include "shale/storefile/store_file_reader.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"
#include "shale/storefile/block_cursor.h"
#include "shale/storefile/block_file.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/block_reader.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/bloom_reader.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/index_cursor.h"
#include "shale/storefile/opened_file.h"
#include "shale/storefile/store_file_scanner.h"
#include "shale/storefile/store_file_verifier.h"

namespace shale {
namespace {

class StoreFileReaderImpl final : public StoreFileReader {
 public:
  StoreFileReaderImpl(std::unique_ptr<BlockReader> blocks, OpenedFile file)
      : blocks_(std::move(blocks)), file_(std::move(file)) {}

  const std::string& name() const override { return blocks_->file().name(); }
  uint64_t file_id() const override { return blocks_->file_id(); }
  const StoreFileInfo& info() const override { return file_.info; }

  std::unique_ptr<CellScanner> NewScanner(
      const StoreFileScanOptions& options) const override {
    return std::make_unique<StoreFileScanner>(*blocks_, file_.index,
                                              file_.info.family, options.fill);
  }

  absl::StatusOr<bool> MayContainRow(absl::string_view row) const override {
    if (!InRange(row)) return false;
    if (file_.info.bloom != BloomKind::kRow) return true;
    return AskBloom(FirstKeyOfRow(row));
  }

  absl::StatusOr<bool> MayContainColumn(
      absl::string_view row, absl::string_view qualifier) const override {
    if (file_.info.bloom != BloomKind::kRowColumn) return MayContainRow(row);
    if (!InRange(row)) return false;
    SHALE_ASSIGN_OR_RETURN(const bool column,
                           AskBloom(FirstKeyOfColumn(row, qualifier)));
    if (column || file_.info.family_deletes == 0) return column;
    // Family markers are cells of the empty qualifier and concern all others.
    return AskBloom(FirstKeyOfRow(row));
  }

  absl::StatusOr<std::string> MiddleRow() const override;

  absl::Status Verify(
      const std::function<void(uint64_t)>& progress) const override {
    return VerifyStoreFile(blocks_->file(), progress);
  }

 private:
  bool InRange(absl::string_view row) const {
    return file_.info.cells > 0 && row >= file_.info.first_row &&
           row <= file_.info.last_row;
  }

  absl::StatusOr<std::string> SecondRow() const;

  absl::StatusOr<bool> AskBloom(absl::string_view key) const {
    return BloomMayContain(*blocks_, file_.bloom, file_.info.bloom, key);
  }

  const std::unique_ptr<BlockReader> blocks_;
  const OpenedFile file_;
};

absl::StatusOr<std::string> StoreFileReaderImpl::MiddleRow() const {
  if (file_.info.cells == 0) return std::string();
  const uint64_t middle = (kFileHeaderBytes + file_.footer.tail_offset()) / 2;
  IndexCursor index(*blocks_, file_.index, CacheFill::kNoFill);
  SHALE_RETURN_IF_ERROR(index.SeekToOffset(middle));
  const BlockHandle handle = index.block();
  SHALE_ASSIGN_OR_RETURN(
      const BlockRef block,
      blocks_->Read(handle, BlockKind::kData, CacheFill::kNoFill));
  // Within the block, as far in as the middle of the file is.
  BlockCursor cursor;
  absl::Status status = cursor.Reset(*block);
  if (status.ok()) {
    const double part =
        (static_cast<double>(middle) - static_cast<double>(handle.offset)) /
        handle.bytes;
    status = cursor.SeekToRestart(static_cast<size_t>(
        std::clamp(part, 0.0, 0.999) * static_cast<double>(cursor.restarts())));
  }
  SHALE_RETURN_IF_ERROR(
      blocks_->file().Annotated(std::move(status), handle, BlockKind::kData));
  const std::string row(CellKeyRow(cursor.key()));
  return row > file_.info.first_row ? row : SecondRow();
}

absl::StatusOr<std::string> StoreFileReaderImpl::SecondRow() const {
  const auto scanner = NewScanner({.fill = CacheFill::kNoFill});
  SHALE_RETURN_IF_ERROR(scanner->Seek(FirstKeyAfterRow(file_.info.first_row)));
  const CellView* cell = scanner->cell();
  return cell == nullptr ? std::string() : std::string(cell->row);
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoreFileReader>> OpenStoreFile(
    std::unique_ptr<ReadFile> file, std::string name, uint64_t file_id,
    BlockCache& cache) {
  auto blocks = std::make_unique<BlockReader>(
      BlockFile(std::move(file), std::move(name)), file_id, cache);
  SHALE_ASSIGN_OR_RETURN(OpenedFile opened, ReadOpenedFile(blocks->file()));
  return std::make_unique<StoreFileReaderImpl>(std::move(blocks),
                                               std::move(opened));
}

}  // namespace shale
