#ifndef SHALE_STOREFILE_INDEX_BUILDER_H_
#define SHALE_STOREFILE_INDEX_BUILDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/block_builder.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/block_writer.h"
#include "shale/storefile/index_root.h"

namespace shale {

// Builds a search tree of index blocks over blocks in key order, bottom up. An
// index block holds (separator, handle) entries, each a restart point of its
// own, so that they can be reached by number; an index block is written as soon
// as it is full, so that only one of each level is in memory. Not thread-safe.
class IndexBuilder {
 public:
  // An index block ends at `block_bytes` raw bytes, but never with a single
  // entry.
  IndexBuilder(size_t block_bytes, BlockWriter& writer);

  // Adds a block that holds only keys >= `separator`, while all blocks before
  // hold only smaller ones.
  absl::Status Add(absl::string_view separator, BlockHandle block);

  // Writes all but the root.
  absl::Status FinishLowerLevels();
  // Then writes that; nothing may be added any more.
  absl::StatusOr<IndexRoot> FinishRoot();

 private:
  struct Level {
    BlockBuilder block{/*restart_interval=*/1};
    std::string first_separator;
  };

  absl::Status AddTo(size_t level, absl::string_view separator,
                     BlockHandle block);
  // Writes a level's block and adds it to the level above.
  absl::Status EndBlock(size_t level);

  const size_t block_bytes_;
  BlockWriter& writer_;
  std::vector<Level> levels_;  // The lowest first.
};

}  // namespace shale

#endif  // SHALE_STOREFILE_INDEX_BUILDER_H_
