#ifndef SHALE_STOREFILE_INDEX_CURSOR_H_
#define SHALE_STOREFILE_INDEX_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/block_cursor.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/block_reader.h"
#include "shale/storefile/index_root.h"

namespace shale {

// An index's root as an open file holds it.
struct LoadedIndex {
  IndexRoot root;
  // The root's bytes; null if there are no levels.
  BlockRef block;
};

// Walks the blocks that an index (IndexBuilder) leads to, in key order. After
// an error it is at no block. Not thread-safe.
class IndexCursor {
 public:
  // All outlive this. `fill` is for the index blocks that it reads.
  IndexCursor(const BlockReader& blocks, const LoadedIndex& index,
              CacheFill fill);

  // Moves to the one block that may hold `key`: the last whose separator is <=
  // `key`, or the first of all if there is none. REQUIRES: the key is
  // comparable.
  absl::Status Seek(absl::string_view key);
  absl::Status SeekToFirst();
  // Moves to the block that holds that byte of the file, or to the next one; in
  // an index of several levels it may miss by what one entry of the root leads
  // to.
  absl::Status SeekToOffset(uint64_t offset);
  // REQUIRES: valid().
  absl::Status Next();

  // Whether it is at a block; the next two REQUIRE that.
  bool valid() const { return valid_; }
  BlockHandle block() const { return block_; }
  // Whether Seek(key) would lead to this block again; reads nothing to tell.
  bool Covers(absl::string_view key) const;

 private:
  // Where the path goes through one level, the root first.
  struct Step {
    BlockHandle handle;
    BlockRef block;
    BlockCursor cursor;
    size_t entry = 0;  // Entries are restart points.
  };

  // Sets the entry by which a descent leaves a step; its cursor is at none.
  using Choose = absl::FunctionRef<absl::Status(Step&)>;
  static absl::Status FirstEntry(Step&) { return absl::OkStatus(); }

  absl::Status SeekBy(Choose choose);
  // Adds steps to the path until it ends in the lowest level.
  absl::Status Descend(Choose choose);
  absl::Status Push(BlockHandle handle, BlockRef block, Choose choose);
  // Moves the step to its entry and takes the block there as block_.
  absl::Status MoveToEntry(Step& step);

  const BlockReader& blocks_;
  const LoadedIndex& index_;
  const CacheFill fill_;
  std::vector<Step> path_;
  bool valid_ = false;
  BlockHandle block_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_INDEX_CURSOR_H_
