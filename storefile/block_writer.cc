#include "shale/storefile/block_writer.h"

#include <cstddef>
#include <utility>

#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"

namespace shale {
namespace {

// Large enough that the cost of an append is small beside that of its bytes.
constexpr size_t kAppendBytes = 1 << 20;

}  // namespace

BlockWriter::BlockWriter(std::unique_ptr<AppendFile> file,
                         Compression compression)
    : file_(std::move(file)), compression_(compression) {}

absl::StatusOr<BlockHandle> BlockWriter::Write(BlockKind kind,
                                               absl::string_view raw) {
  SHALE_RETURN_IF_ERROR(status_);
  const bool compressible =
      kind == BlockKind::kData || kind == BlockKind::kIndex;
  const BlockHandle handle =
      AppendBlock(kind, compressible ? compression_ : Compression::kNone, raw,
                  offset_, &buffer_);
  SHALE_RETURN_IF_ERROR(Advance(handle.bytes));
  return handle;
}

absl::Status BlockWriter::WriteBytes(absl::string_view bytes) {
  SHALE_RETURN_IF_ERROR(status_);
  buffer_.append(bytes.data(), bytes.size());
  return Advance(bytes.size());
}

absl::Status BlockWriter::Finish() {
  SHALE_RETURN_IF_ERROR(Flush());
  status_ = FinishFile(*file_);
  return status_;
}

absl::Status BlockWriter::Advance(uint64_t bytes) {
  offset_ += bytes;
  return buffer_.size() < kAppendBytes ? absl::OkStatus() : Flush();
}

absl::Status BlockWriter::Flush() {
  if (status_.ok() && !buffer_.empty()) {
    status_ = file_->AppendNow(buffer_).status();
    buffer_.clear();
  }
  return status_;
}

}  // namespace shale
