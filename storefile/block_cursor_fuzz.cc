// Whatever a block's bytes are, a cursor stays inside them and its walk, seeks
// and restart points agree with each other where the block is sound.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/cell/cell_key.h"
#include "shale/storefile/block_cursor.h"

namespace shale {
namespace {

void SeekAll(absl::string_view block) {
  BlockCursor walk, seek;
  if (!walk.Reset(block).ok()) return;
  SHALE_CHECK_OK(seek.Reset(block));
  absl::Status status = walk.SeekToRestart(0);
  size_t bytes = 0;
  for (; status.ok() && walk.valid(); status = walk.Next()) {
    SHALE_CHECK(IsComparableCellKey(walk.key()));
    bytes += walk.value().size() + walk.tags().size();
    SHALE_CHECK(bytes <= block.size());
    const std::string key(walk.key());
    if (seek.Seek(key).ok() && seek.valid()) {
      SHALE_CHECK(CompareCellKeys(seek.key(), key) >= 0);
    }
  }
  SHALE_CHECK(status.ok() || !walk.valid());
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy of exactly that size, so that a read past its end is seen.
  const std::string block(reinterpret_cast<const char*>(data), size);
  shale::SeekAll(block);
  return 0;
}
