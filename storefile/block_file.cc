#include "shale/storefile/block_file.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"

namespace shale {

BlockFile::BlockFile(std::unique_ptr<ReadFile> file, std::string name)
    : file_(std::move(file)), name_(std::move(name)) {}

absl::StatusOr<std::string> BlockFile::Read(BlockHandle block,
                                            BlockKind kind) const {
  SHALE_ASSIGN_OR_RETURN(const std::string bytes,
                         ReadBytes(block.offset, block.bytes));
  return Decode(block, kind, bytes);
}

absl::StatusOr<std::string> BlockFile::ReadBytes(uint64_t offset,
                                                 uint64_t bytes) const {
  absl::StatusOr<std::string> read =
      file_->ReadNow(FileExtent{.offset = offset, .length = bytes});
  if (!read.ok()) {
    return Annotate(std::move(read).status(),
                    absl::StrCat(name_, ": read at offset ", offset));
  }
  if (read->size() != bytes) {
    return Annotated(absl::DataLossError(absl::StrCat("read at offset ", offset,
                                                      " gave ", read->size(),
                                                      " bytes, want ", bytes)));
  }
  return read;
}

absl::StatusOr<std::string> BlockFile::Decode(BlockHandle block, BlockKind kind,
                                              absl::string_view bytes) const {
  absl::StatusOr<std::string> raw = DecodeBlock(bytes, block.offset, kind);
  if (raw.ok()) return raw;
  return Annotated(std::move(raw).status(), block, kind);
}

absl::Status BlockFile::Annotated(absl::Status status) const {
  if (status.ok()) return status;  // Most often, and without a text.
  return Annotate(std::move(status), name_);
}

absl::Status BlockFile::Annotated(absl::Status status, BlockHandle block,
                                  BlockKind kind) const {
  if (status.ok()) return status;
  return Annotate(std::move(status),
                  absl::StrCat(name_, ": ", BlockKindName(kind),
                               " block at offset ", block.offset));
}

}  // namespace shale
