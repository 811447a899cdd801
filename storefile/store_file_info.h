#ifndef SHALE_STOREFILE_STORE_FILE_INFO_H_
#define SHALE_STOREFILE_STORE_FILE_INFO_H_

#include <cstdint>
#include <string>

#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/compression.h"

namespace shale {

// What a store file says of itself; written once, read at open.
struct StoreFileInfo {
  std::string family;
  // Of the whole file; empty rows if it has no cell.
  std::string first_row;
  std::string last_row;
  // Of the cells, markers included. min > max if there is none.
  Timestamp min_timestamp = kMaxTimestamp;
  Timestamp max_timestamp = kMinTimestamp;
  WriteNumber min_number = kMaxWriteNumber;
  WriteNumber max_number = kNoWriteNumber;
  uint64_t cells = 0;
  // Markers of any kind, and those of them that are family markers.
  uint64_t deletes = 0;
  uint64_t family_deletes = 0;
  uint64_t tagged_cells = 0;
  // Of all cells, as they are without the block's encoding and compression; a
  // value's include its tags.
  uint64_t key_bytes = 0;
  uint64_t value_bytes = 0;
  uint64_t data_blocks = 0;
  uint64_t file_bytes = 0;
  // Wall clock, microseconds.
  Timestamp created_at = 0;
  // As the writer was told; a block that compressing didn't make smaller is
  // stored as it is.
  Compression compression = Compression::kNone;
  BloomKind bloom = BloomKind::kNone;
  // Written by a merge of every file with older numbers.
  bool includes_oldest = false;

  friend bool operator==(const StoreFileInfo&, const StoreFileInfo&) = default;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_INFO_H_
