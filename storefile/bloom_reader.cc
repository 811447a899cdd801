#include "shale/storefile/bloom_reader.h"

#include "shale/base/status_macros.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/bloom.h"

namespace shale {

absl::StatusOr<bool> BloomMayContain(const BlockReader& blocks,
                                     const LoadedIndex& bloom, BloomKind kind,
                                     absl::string_view key) {
  if (kind == BloomKind::kNone || bloom.root.levels == 0) return true;
  IndexCursor chunks(blocks, bloom, CacheFill::kFill);
  SHALE_RETURN_IF_ERROR(chunks.Seek(BloomSeekKey(kind, key)));
  SHALE_ASSIGN_OR_RETURN(
      const BlockRef chunk,
      blocks.Read(chunks.block(), BlockKind::kBloom, CacheFill::kFill));
  absl::StatusOr<bool> may_contain =
      BloomChunkMayContain(*chunk, BloomHash(BloomPrefix(kind, key)));
  if (may_contain.ok()) return may_contain;
  return blocks.file().Annotated(std::move(may_contain).status(),
                                 chunks.block(), BlockKind::kBloom);
}

}  // namespace shale
