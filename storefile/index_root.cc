#include "shale/storefile/index_root.h"

#include "absl/status/status.h"
#include "shale/base/coding.h"

namespace shale {

absl::StatusOr<BlockHandle> ReadIndexEntry(BlockHandle parent,
                                           absl::string_view value) {
  Decoder in(value);
  BlockHandle child;
  if (!ReadBlockHandle(in, &child) || in.remaining() != 0 ||
      child.bytes <= kBlockFrameBytes || child.offset > parent.offset ||
      child.bytes > parent.offset - child.offset) {
    return absl::DataLossError("entry that leads to no block before it");
  }
  return child;
}

}  // namespace shale
