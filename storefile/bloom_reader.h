#ifndef SHALE_STOREFILE_BLOOM_READER_H_
#define SHALE_STOREFILE_BLOOM_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/block_reader.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/index_cursor.h"

namespace shale {

// Whether a file with that bloom may have cells of the row, or of the column of
// the row, that `key` is of. True if there is no bloom. Reads at most one
// chunk, which is then cached. REQUIRES: the key is comparable.
absl::StatusOr<bool> BloomMayContain(const BlockReader& blocks,
                                     const LoadedIndex& bloom, BloomKind kind,
                                     absl::string_view key);

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOOM_READER_H_
