#ifndef SHALE_STOREFILE_INDEX_ROOT_H_
#define SHALE_STOREFILE_INDEX_ROOT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/block_format.h"

namespace shale {

// The topmost block of an index and how many levels the index has, that one
// included; zero levels and no block if nothing is indexed.
struct IndexRoot {
  BlockHandle handle;
  int levels = 0;
};

// More than any index needs: each level has at most half as many blocks as the
// one below it has entries.
inline constexpr int kMaxIndexLevels = 40;

// The block that an entry with that value leads to, in an index block that lies
// at `parent`. DATA_LOSS if that is no place before `parent`: children are
// written first, so an index whose entries all pass has no cycles.
absl::StatusOr<BlockHandle> ReadIndexEntry(BlockHandle parent,
                                           absl::string_view value);

}  // namespace shale

#endif  // SHALE_STOREFILE_INDEX_ROOT_H_
