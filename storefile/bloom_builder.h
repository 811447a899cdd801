#ifndef SHALE_STOREFILE_BLOOM_BUILDER_H_
#define SHALE_STOREFILE_BLOOM_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/block_writer.h"
#include "shale/storefile/bloom.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/index_builder.h"
#include "shale/storefile/index_root.h"

namespace shale {

// Builds a file's bloom as the cells come: chunks of a bounded size, each a
// block that is written as soon as it is full, and an index over them, so that
// a lookup reads one chunk. Not thread-safe.
class BloomBuilder {
 public:
  // With kNone it builds nothing. REQUIRES: 0 < error_rate < 1.
  BloomBuilder(BloomKind kind, double error_rate, size_t index_block_bytes,
               BlockWriter& writer);

  // Adds the row or column of a cell. `key_before` is that of the cell before,
  // empty for the first.
  absl::Status Add(absl::string_view key_before, absl::string_view key);

  // Writes all but the root of the index, then that.
  absl::Status FinishLowerLevels();
  absl::StatusOr<IndexRoot> FinishRoot() { return index_.FinishRoot(); }

 private:
  absl::Status EndChunk();

  const BloomKind kind_;
  const BloomShape shape_;
  const size_t keys_per_chunk_;
  BlockWriter& writer_;
  IndexBuilder index_;
  // Of the chunk being filled.
  std::vector<uint64_t> hashes_;
  std::string separator_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOOM_BUILDER_H_
