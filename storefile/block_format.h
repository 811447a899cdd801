// A block as it lies in a store file: header, stored bytes, checksum. All that
// is between a file's header and its footer is blocks.
// docs/formats/store_file.md
#ifndef SHALE_STOREFILE_BLOCK_FORMAT_H_
#define SHALE_STOREFILE_BLOCK_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/compression.h"

namespace shale {

inline constexpr size_t kBlockHeaderBytes = 1 + 1 + 4 + 4;
inline constexpr size_t kBlockChecksumBytes = 4;
// What a block takes beside its stored bytes.
inline constexpr size_t kBlockFrameBytes =
    kBlockHeaderBytes + kBlockChecksumBytes;
// The most that any block holds, unpacked; no length above it is believed.
inline constexpr size_t kMaxRawBlockBytes = 256 << 20;

// Where a block lies, frame included.
struct BlockHandle {
  uint64_t offset = 0;
  uint32_t bytes = 0;

  uint64_t end() const { return offset + bytes; }
  friend bool operator==(BlockHandle, BlockHandle) = default;
};

// As index entries hold it: two varints. False if there is no sound one.
void PutBlockHandle(BlockHandle handle, std::string* out);
bool ReadBlockHandle(Decoder& in, BlockHandle* handle);

struct BlockHeader {
  BlockKind kind = BlockKind::kData;
  // kNone also if compressing would not have made the block smaller.
  Compression compression = Compression::kNone;
  uint32_t stored_bytes = 0;
  uint32_t raw_bytes = 0;

  uint32_t block_bytes() const {
    return static_cast<uint32_t>(stored_bytes + kBlockFrameBytes);
  }
};

// Appends a block that will lie at `offset`, compressed if that makes it
// smaller, and returns where. REQUIRES: 1 <= raw.size() <= kMaxRawBlockBytes,
// and the codec is available.
BlockHandle AppendBlock(BlockKind kind, Compression compression,
                        absl::string_view raw, uint64_t offset,
                        std::string* out);

// The header that `bytes` begins with. DATA_LOSS if it can't be one.
absl::StatusOr<BlockHeader> DecodeBlockHeader(absl::string_view bytes);

// Checks a whole block that was read at `offset` and unpacks it. DATA_LOSS, or
// UNIMPLEMENTED for a codec that isn't in this build; the messages name neither
// file nor offset.
absl::StatusOr<std::string> DecodeBlock(absl::string_view block,
                                        uint64_t offset, BlockKind kind);

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_FORMAT_H_
