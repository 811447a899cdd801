#include "shale/cache/block_cache.h"

namespace shale {

absl::string_view BlockKindName(BlockKind kind) {
  switch (kind) {
    case BlockKind::kData:
      return "data";
    case BlockKind::kIndex:
      return "index";
    case BlockKind::kBloom:
      return "bloom";
    case BlockKind::kMeta:
      return "meta";
  }
  return "unknown";
}

}  // namespace shale
