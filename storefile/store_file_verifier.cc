#include "shale/storefile/store_file_verifier.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/storefile/block_cursor.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/bloom.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/file_info_codec.h"
#include "shale/storefile/opened_file.h"
#include "shale/storefile/store_file_info.h"

namespace shale {
namespace {

// An entry of an index's lowest level.
struct IndexedBlock {
  std::string separator;
  BlockHandle handle;
};

class StoreFileVerifier {
 public:
  StoreFileVerifier(const BlockFile& file,
                    const std::function<void(uint64_t)>& progress)
      : file_(file), progress_(progress) {}

  absl::Status Verify();

 private:
  using Visit = std::function<absl::Status(const IndexedBlock&)>;

  // Counts bytes of the file as checked. Fails once they are more than the file
  // has: then some were reached twice.
  absl::Status Checked(BlockHandle extent);
  absl::StatusOr<std::string> Read(BlockHandle block, BlockKind kind);
  absl::Status Bad(BlockHandle block, BlockKind kind,
                   absl::string_view what) const;

  // Walks an index, or what is below one block of it, in order, and visits what
  // the lowest level leads to. Unless it's the root's, the first separator must
  // be `separator`.
  absl::Status WalkIndex(const IndexRoot& at, absl::string_view separator,
                         const Visit& visit);
  absl::Status CheckDataBlock(const IndexedBlock& block);
  absl::Status CheckCell(const IndexedBlock& block, absl::string_view key,
                         absl::string_view value, absl::string_view tags);
  // That the bloom doesn't deny the row or column of that key.
  absl::Status CheckBloom(absl::string_view key);
  absl::Status CheckInfo() const;
  absl::Status CheckNothingLeft();

  const BlockFile& file_;
  const std::function<void(uint64_t)>& progress_;
  OpenedFile opened_;
  std::vector<BlockHandle> checked_;
  uint64_t checked_bytes_ = 0;
  // Computed from the cells.
  StoreFileInfo computed_;
  std::string last_key_;
  std::vector<IndexedBlock> chunks_;
  size_t next_chunk_ = 0;
  std::string chunk_;  // The one before next_chunk_.
};

absl::Status StoreFileVerifier::Checked(BlockHandle extent) {
  checked_.push_back(extent);
  checked_bytes_ += extent.bytes;
  if (checked_bytes_ > file_.file_bytes()) {
    return absl::DataLossError(absl::StrCat(file_.name(), ": block at offset ",
                                            extent.offset, " of ", extent.bytes,
                                            " bytes overlaps others"));
  }
  if (progress_) progress_(checked_bytes_);
  return absl::OkStatus();
}

absl::StatusOr<std::string> StoreFileVerifier::Read(BlockHandle block,
                                                    BlockKind kind) {
  SHALE_ASSIGN_OR_RETURN(std::string raw, file_.Read(block, kind));
  SHALE_RETURN_IF_ERROR(Checked(block));
  return raw;
}

absl::Status StoreFileVerifier::Verify() {
  SHALE_ASSIGN_OR_RETURN(const std::string header,
                         file_.ReadBytes(0, kFileHeaderBytes));
  SHALE_RETURN_IF_ERROR(file_.Annotated(CheckFileHeader(header)));
  SHALE_RETURN_IF_ERROR(Checked({.offset = 0, .bytes = kFileHeaderBytes}));
  SHALE_ASSIGN_OR_RETURN(opened_, ReadOpenedFile(file_));
  SHALE_RETURN_IF_ERROR(Checked(opened_.footer.info));
  SHALE_RETURN_IF_ERROR(
      Checked({.offset = opened_.footer.offset(), .bytes = kFileFooterBytes}));
  SHALE_RETURN_IF_ERROR(
      WalkIndex(opened_.footer.bloom, "", [this](const IndexedBlock& chunk) {
        chunks_.push_back(chunk);
        return absl::OkStatus();
      }));
  SHALE_RETURN_IF_ERROR(WalkIndex(
      opened_.footer.index, "",
      [this](const IndexedBlock& block) { return CheckDataBlock(block); }));
  SHALE_RETURN_IF_ERROR(CheckInfo());
  return CheckNothingLeft();
}

absl::Status StoreFileVerifier::Bad(BlockHandle block, BlockKind kind,
                                    absl::string_view what) const {
  return file_.Annotated(absl::DataLossError(what), block, kind);
}

absl::Status StoreFileVerifier::WalkIndex(const IndexRoot& at,
                                          absl::string_view separator,
                                          const Visit& visit) {
  if (at.levels == 0) return absl::OkStatus();
  const auto of_block = [&](absl::Status status) {
    return file_.Annotated(std::move(status), at.handle, BlockKind::kIndex);
  };
  SHALE_ASSIGN_OR_RETURN(const std::string block,
                         Read(at.handle, BlockKind::kIndex));
  BlockCursor cursor;
  SHALE_RETURN_IF_ERROR(of_block(cursor.Reset(block)));
  SHALE_RETURN_IF_ERROR(of_block(cursor.SeekToRestart(0)));
  size_t entries = 0;
  IndexedBlock child{.separator = std::string(separator), .handle = {}};
  for (; cursor.valid(); ++entries) {
    const absl::string_view key = cursor.key();
    const bool fits = entries > 0 ? CompareCellKeys(child.separator, key) < 0
                                  : separator.empty() || separator == key;
    if (!fits || !cursor.IsRestart(entries)) {
      return Bad(at.handle, BlockKind::kIndex,
                 absl::StrCat("entry ", entries, " out of order"));
    }
    absl::StatusOr<BlockHandle> handle =
        ReadIndexEntry(at.handle, cursor.value());
    if (!handle.ok()) return of_block(std::move(handle).status());
    child = IndexedBlock{.separator = std::string(key), .handle = *handle};
    SHALE_RETURN_IF_ERROR(
        at.levels == 1 ? visit(child)
                       : WalkIndex({.handle = *handle, .levels = at.levels - 1},
                                   child.separator, visit));
    SHALE_RETURN_IF_ERROR(of_block(cursor.Next()));
  }
  if (entries == cursor.restarts()) return absl::OkStatus();
  return Bad(
      at.handle, BlockKind::kIndex,
      absl::StrCat(cursor.restarts(), " restart points, want ", entries));
}

absl::Status StoreFileVerifier::CheckDataBlock(const IndexedBlock& block) {
  const auto of_block = [&](absl::Status status) {
    return file_.Annotated(std::move(status), block.handle, BlockKind::kData);
  };
  SHALE_ASSIGN_OR_RETURN(const std::string raw,
                         Read(block.handle, BlockKind::kData));
  if (!last_key_.empty() && CompareCellKeys(last_key_, block.separator) >= 0) {
    return Bad(block.handle, BlockKind::kData,
               "separator not above the block before");
  }
  BlockCursor cursor;
  SHALE_RETURN_IF_ERROR(of_block(cursor.Reset(raw)));
  SHALE_RETURN_IF_ERROR(of_block(cursor.SeekToRestart(0)));
  size_t restarts = 0;
  while (cursor.valid()) {
    restarts += cursor.IsRestart(restarts);
    SHALE_RETURN_IF_ERROR(
        CheckCell(block, cursor.key(), cursor.value(), cursor.tags()));
    SHALE_RETURN_IF_ERROR(of_block(cursor.Next()));
  }
  ++computed_.data_blocks;
  if (restarts == cursor.restarts()) return absl::OkStatus();
  return Bad(block.handle, BlockKind::kData,
             absl::StrCat("restart point ", restarts, " begins no entry"));
}

absl::Status StoreFileVerifier::CheckCell(const IndexedBlock& block,
                                          absl::string_view key,
                                          absl::string_view value,
                                          absl::string_view tags) {
  CellView cell;
  if (!ParseCellKey(key, &cell)) {
    return Bad(block.handle, BlockKind::kData,
               absl::StrCat("key of no cell: ", EscapeBytes(key)));
  }
  if (CompareCellKeys(block.separator, key) > 0 ||
      (!last_key_.empty() && CompareCellKeys(last_key_, key) > 0)) {
    return Bad(block.handle, BlockKind::kData,
               absl::StrCat("cell out of order: ", DebugString(cell)));
  }
  SHALE_RETURN_IF_ERROR(CheckBloom(key));
  cell.value = value;
  cell.tags = tags;
  AddCellToInfo(cell, &computed_);
  last_key_.assign(key.data(), key.size());
  return absl::OkStatus();
}

absl::Status StoreFileVerifier::CheckBloom(absl::string_view key) {
  const BloomKind kind = opened_.info.bloom;
  if (kind == BloomKind::kNone) return absl::OkStatus();
  const absl::string_view prefix = BloomPrefix(kind, key);
  if (!last_key_.empty() && BloomPrefix(kind, last_key_) == prefix) {
    return absl::OkStatus();
  }
  const std::string asked = BloomSeekKey(kind, key);
  while (next_chunk_ < chunks_.size() &&
         (next_chunk_ == 0 ||
          CompareCellKeys(chunks_[next_chunk_].separator, asked) <= 0)) {
    SHALE_ASSIGN_OR_RETURN(
        chunk_, Read(chunks_[next_chunk_].handle, BlockKind::kBloom));
    ++next_chunk_;
  }
  if (next_chunk_ == 0) {
    return absl::DataLossError(absl::StrCat(
        file_.name(), ": no bloom, want kind ", BloomKindName(kind)));
  }
  const BlockHandle handle = chunks_[next_chunk_ - 1].handle;
  const absl::StatusOr<bool> found =
      BloomChunkMayContain(chunk_, BloomHash(prefix));
  SHALE_RETURN_IF_ERROR(
      file_.Annotated(found.status(), handle, BlockKind::kBloom));
  if (*found) return absl::OkStatus();
  return Bad(handle, BlockKind::kBloom,
             absl::StrCat("denies a cell that is there, of row ",
                          EscapeBytes(CellKeyRow(key))));
}

absl::Status StoreFileVerifier::CheckInfo() const {
  const StoreFileInfo& info = opened_.info;
  struct Number {
    absl::string_view name;
    uint64_t got, want;
  };
  const auto number = [](int64_t timestamp) {
    return static_cast<uint64_t>(timestamp);
  };
  const Number numbers[] = {
      {"cells", info.cells, computed_.cells},
      {"deletes", info.deletes, computed_.deletes},
      {"family deletes", info.family_deletes, computed_.family_deletes},
      {"tagged cells", info.tagged_cells, computed_.tagged_cells},
      {"key bytes", info.key_bytes, computed_.key_bytes},
      {"value bytes", info.value_bytes, computed_.value_bytes},
      {"data blocks", info.data_blocks, computed_.data_blocks},
      {"smallest timestamp", number(info.min_timestamp),
       number(computed_.min_timestamp)},
      {"largest timestamp", number(info.max_timestamp),
       number(computed_.max_timestamp)},
      {"smallest write number", info.min_number.value,
       computed_.min_number.value},
      {"largest write number", info.max_number.value,
       computed_.max_number.value},
  };
  const BlockHandle block = opened_.footer.info;
  for (const Number& n : numbers) {
    if (n.got == n.want) continue;
    return Bad(block, BlockKind::kMeta,
               absl::StrCat(n.name, " ", n.got, ", want ", n.want));
  }
  if (info.first_row != computed_.first_row ||
      info.last_row != computed_.last_row) {
    return Bad(block, BlockKind::kMeta,
               absl::StrCat("rows ", EscapeBytes(info.first_row), " to ",
                            EscapeBytes(info.last_row), ", want ",
                            EscapeBytes(computed_.first_row), " to ",
                            EscapeBytes(computed_.last_row)));
  }
  return absl::OkStatus();
}

absl::Status StoreFileVerifier::CheckNothingLeft() {
  if (next_chunk_ < chunks_.size()) {
    return Bad(chunks_[next_chunk_].handle, BlockKind::kBloom,
               "chunk without a cell");
  }
  std::sort(checked_.begin(), checked_.end(),
            [](BlockHandle a, BlockHandle b) { return a.offset < b.offset; });
  uint64_t end = 0;
  for (const BlockHandle& extent : checked_) {
    if (extent.offset != end) break;
    end = extent.end();
  }
  if (end == file_.file_bytes()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(file_.name(), ": bytes at offset ",
                                          end, " belong to no block"));
}

}  // namespace

absl::Status VerifyStoreFile(const BlockFile& file,
                             const std::function<void(uint64_t)>& progress) {
  return StoreFileVerifier(file, progress).Verify();
}

}  // namespace shale
