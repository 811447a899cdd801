#ifndef SHALE_STOREFILE_STORE_FILE_SCANNER_H_
#define SHALE_STOREFILE_STORE_FILE_SCANNER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"
#include "shale/storefile/block_cursor.h"
#include "shale/storefile/block_reader.h"
#include "shale/storefile/index_cursor.h"

namespace shale {

// The cells of one store file. It holds the data block that it is in, so views
// stay valid whatever the cache evicts. A seek to where the current block
// reaches doesn't touch the index.
class StoreFileScanner final : public CellScanner {
 public:
  // All outlive this. The cells are of `family`. `fill` is for data and index
  // blocks.
  StoreFileScanner(const BlockReader& blocks, const LoadedIndex& index,
                   absl::string_view family, CacheFill fill);

  absl::Status Seek(absl::string_view key) override;
  absl::Status Next() override;
  const CellView* cell() const override { return at_cell_ ? &cell_ : nullptr; }
  absl::string_view key() const override { return cursor_.key(); }

 private:
  absl::Status SeekTo(absl::string_view key);
  // Moves to the first cell of the next block, or to the end.
  absl::Status ToNextBlock();
  // Takes the block that the index is at, its cursor at no entry.
  absl::Status LoadBlock();
  // Makes the cursor's entry the current cell.
  absl::Status TakeCell();
  // Makes an error stick.
  void Settle(absl::Status status);
  // What cursor_ returned, an error with its place in the file.
  absl::Status OfBlock(absl::Status status) const;

  const BlockReader& blocks_;
  IndexCursor index_;
  const CacheFill fill_;
  BlockRef block_;  // Null if the scanner is in no block.
  BlockCursor cursor_;
  CellView cell_;
  bool at_cell_ = false;
  absl::Status status_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_SCANNER_H_
