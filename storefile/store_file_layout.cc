#include "shale/storefile/store_file_layout.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/storefile/block_cursor.h"
#include "shale/storefile/block_file.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/opened_file.h"

namespace shale {
namespace {

// Counts a data or index block's entries and takes its first key.
absl::Status ReadEntries(absl::string_view raw, StoreFileBlock* block) {
  BlockCursor cursor;
  SHALE_RETURN_IF_ERROR(cursor.Reset(raw));
  SHALE_RETURN_IF_ERROR(cursor.SeekToRestart(0));
  block->first_key = std::string(cursor.key());
  for (; cursor.valid(); ++block->entries) {
    SHALE_RETURN_IF_ERROR(cursor.Next());
  }
  return absl::OkStatus();
}

absl::StatusOr<StoreFileBlock> ReadBlock(const BlockFile& file,
                                         uint64_t offset) {
  SHALE_ASSIGN_OR_RETURN(const std::string head,
                         file.ReadBytes(offset, kBlockHeaderBytes));
  const absl::StatusOr<BlockHeader> header = DecodeBlockHeader(head);
  if (!header.ok()) {
    return file.Annotated(
        Annotate(header.status(), absl::StrCat("block at offset ", offset)));
  }
  const BlockHandle handle{.offset = offset, .bytes = header->block_bytes()};
  SHALE_ASSIGN_OR_RETURN(const std::string raw,
                         file.Read(handle, header->kind));
  StoreFileBlock block{.offset = offset,
                       .kind = header->kind,
                       .compression = header->compression,
                       .file_bytes = handle.bytes,
                       .raw_bytes = raw.size(),
                       .entries = 0,
                       .first_key = ""};
  if (block.kind == BlockKind::kData || block.kind == BlockKind::kIndex) {
    SHALE_RETURN_IF_ERROR(
        file.Annotated(ReadEntries(raw, &block), handle, block.kind));
  }
  return block;
}

}  // namespace

absl::StatusOr<StoreFileLayout> ReadStoreFileLayout(
    std::unique_ptr<ReadFile> file, std::string name,
    absl::FunctionRef<absl::Status(const StoreFileBlock&)> visit) {
  const BlockFile blocks(std::move(file), std::move(name));
  SHALE_ASSIGN_OR_RETURN(OpenedFile opened, ReadOpenedFile(blocks));
  const FileFooter& footer = opened.footer;
  for (uint64_t offset = kFileHeaderBytes; offset < footer.offset();) {
    SHALE_ASSIGN_OR_RETURN(const StoreFileBlock block,
                           ReadBlock(blocks, offset));
    SHALE_RETURN_IF_ERROR(visit(block));
    offset += block.file_bytes;
  }
  return StoreFileLayout{.version = kStoreFileVersion,
                         .info = std::move(opened.info),
                         .index_root_offset = footer.index.handle.offset,
                         .bloom_root_offset = footer.bloom.handle.offset,
                         .info_offset = footer.info.offset,
                         .footer_offset = footer.offset(),
                         .index_levels = footer.index.levels,
                         .bloom_levels = footer.bloom.levels};
}

}  // namespace shale
