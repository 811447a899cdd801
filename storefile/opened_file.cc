#include "shale/storefile/opened_file.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/status_macros.h"
#include "shale/storefile/file_info_codec.h"

namespace shale {
namespace {

// Holds the roots of all but the largest files, and costs a disk about as much
// as one block.
constexpr uint64_t kSpeculativeBytes = 32 << 10;

// Why a file whose footer failed with `footer_error` can't be read: perhaps it
// is of a version whose footer this build doesn't know, as its header then
// says.
absl::Status Diagnose(const BlockFile& file, absl::Status footer_error) {
  if (footer_error.code() == absl::StatusCode::kDataLoss &&
      file.file_bytes() >= kFileHeaderBytes) {
    SHALE_ASSIGN_OR_RETURN(const std::string header,
                           file.ReadBytes(0, kFileHeaderBytes));
    const absl::Status status = CheckFileHeader(header);
    if (status.code() == absl::StatusCode::kFailedPrecondition) {
      return file.Annotated(status);
    }
  }
  return file.Annotated(std::move(footer_error));
}

// The last bytes of a file, from `offset` on.
struct Tail {
  uint64_t offset = 0;
  std::string bytes;

  absl::string_view Of(BlockHandle block) const {
    return absl::string_view(bytes).substr(block.offset - offset, block.bytes);
  }
};

absl::StatusOr<LoadedIndex> LoadIndex(const BlockFile& file,
                                      const IndexRoot& root, const Tail& tail) {
  LoadedIndex index{.root = root, .block = nullptr};
  if (root.levels == 0) return index;
  SHALE_ASSIGN_OR_RETURN(
      std::string block,
      file.Decode(root.handle, BlockKind::kIndex, tail.Of(root.handle)));
  index.block = std::make_shared<const std::string>(std::move(block));
  return index;
}

absl::Status CheckHeader(const BlockFile& file, const Tail& tail) {
  // A larger file's header is checked by Verify alone: it would cost a read.
  if (tail.offset > 0) return absl::OkStatus();
  return file.Annotated(CheckFileHeader(
      absl::string_view(tail.bytes).substr(0, kFileHeaderBytes)));
}

}  // namespace

absl::StatusOr<OpenedFile> ReadOpenedFile(const BlockFile& file) {
  const uint64_t file_bytes = file.file_bytes();
  Tail tail;
  tail.offset = file_bytes - std::min(file_bytes, kSpeculativeBytes);
  SHALE_ASSIGN_OR_RETURN(tail.bytes,
                         file.ReadBytes(tail.offset, file_bytes - tail.offset));
  OpenedFile opened;
  absl::StatusOr<FileFooter> footer = DecodeFileFooter(tail.bytes, file_bytes);
  if (!footer.ok()) return Diagnose(file, std::move(footer).status());
  opened.footer = *footer;
  SHALE_RETURN_IF_ERROR(CheckHeader(file, tail));
  if (const uint64_t begin = footer->tail_offset(); begin < tail.offset) {
    SHALE_ASSIGN_OR_RETURN(std::string rest,
                           file.ReadBytes(begin, tail.offset - begin));
    tail = Tail{.offset = begin, .bytes = std::move(rest) + tail.bytes};
  }
  SHALE_ASSIGN_OR_RETURN(
      const std::string info,
      file.Decode(footer->info, BlockKind::kMeta, tail.Of(footer->info)));
  absl::StatusOr<StoreFileInfo> decoded = DecodeStoreFileInfo(info);
  if (!decoded.ok()) {
    return file.Annotated(std::move(decoded).status(), footer->info,
                          BlockKind::kMeta);
  }
  opened.info = *std::move(decoded);
  opened.info.file_bytes = file_bytes;
  SHALE_ASSIGN_OR_RETURN(opened.index, LoadIndex(file, footer->index, tail));
  SHALE_ASSIGN_OR_RETURN(opened.bloom, LoadIndex(file, footer->bloom, tail));
  return opened;
}

}  // namespace shale
