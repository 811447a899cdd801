#ifndef SHALE_STOREFILE_BLOCK_FILE_H_
#define SHALE_STOREFILE_BLOCK_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/read_file.h"
#include "shale/storefile/block_format.h"

namespace shale {

// Reads the blocks of one file, checked and unpacked. Its errors name the file,
// the block and its offset. Thread-safe; movable while nobody uses it.
class BlockFile {
 public:
  BlockFile(std::unique_ptr<ReadFile> file, std::string name);

  const std::string& name() const { return name_; }
  uint64_t file_bytes() const { return file_->size(); }

  absl::StatusOr<std::string> Read(BlockHandle block, BlockKind kind) const;

  // Exactly these bytes; DATA_LOSS if the file ends before.
  absl::StatusOr<std::string> ReadBytes(uint64_t offset, uint64_t bytes) const;

  // Checks and unpacks a block that was read already.
  absl::StatusOr<std::string> Decode(BlockHandle block, BlockKind kind,
                                     absl::string_view bytes) const;

  // An error with the file, or the block of it, put before its message.
  absl::Status Annotated(absl::Status status) const;
  absl::Status Annotated(absl::Status status, BlockHandle block,
                         BlockKind kind) const;

 private:
  std::unique_ptr<ReadFile> file_;
  std::string name_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_FILE_H_
