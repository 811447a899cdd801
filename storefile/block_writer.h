#ifndef SHALE_STOREFILE_BLOCK_WRITER_H_
#define SHALE_STOREFILE_BLOCK_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/append_file.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/compression.h"

namespace shale {

// Puts blocks and other bytes at the end of a store file in the making,
// gathering them into appends of about a megabyte. The first I/O error is
// returned by that call and all later ones. Not thread-safe.
class BlockWriter {
 public:
  // Data and index blocks are compressed by `compression`, which is available;
  // others would hardly shrink.
  BlockWriter(std::unique_ptr<AppendFile> file, Compression compression);

  // REQUIRES: 1 <= raw.size() <= kMaxRawBlockBytes.
  absl::StatusOr<BlockHandle> Write(BlockKind kind, absl::string_view raw);
  // Bytes that are no block: the file's header and footer.
  absl::Status WriteBytes(absl::string_view bytes);

  // Where the next block will be.
  uint64_t offset() const { return offset_; }

  // Makes all durable and ends the file.
  absl::Status Finish();
  // Gives the file up; nothing may be called after it.
  void Abandon() { file_->Abandon(); }

 private:
  // Counts what was put into buffer_, and hands it to the file if it is due.
  absl::Status Advance(uint64_t bytes);
  absl::Status Flush();

  const std::unique_ptr<AppendFile> file_;
  const Compression compression_;
  std::string buffer_;
  uint64_t offset_ = 0;
  absl::Status status_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_WRITER_H_
