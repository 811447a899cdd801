#include <memory>

#include "shale/cache/block_cache.h"
#include "shale/cache/lru_block_cache.h"

namespace shale {

std::unique_ptr<BlockCache> NewBlockCache(const BlockCacheOptions& options) {
  return std::make_unique<LruBlockCache>(options);
}

}  // namespace shale
