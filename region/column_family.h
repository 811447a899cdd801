#ifndef SHALE_REGION_COLUMN_FAMILY_H_
#define SHALE_REGION_COLUMN_FAMILY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "shale/filter/retention_rules.h"
#include "shale/storefile/store_file_writer.h"

namespace shale {

// One column family: what is kept of its cells, and how it is stored.
struct ColumnFamilyOptions {
  // 1 to kMaxFamilyBytes printable bytes, without ':'.
  std::string name;
  // Versions, time to live, delete rule.
  RetentionRules retention;
  // Raw size at which a data block ends. Range [1, 16 MiB].
  size_t block_bytes = 64 << 10;
  Compression compression = Compression::kNone;
  BloomKind bloom = BloomKind::kRow;
};

// What a region is: a contiguous range of rows of one table, and the families
// of that table.
struct RegionSchema {
  // Names the region within its host: 1 to 255 printable bytes.
  std::string name;
  // Rows from `start_row` to before `end_row`; an empty end is open.
  std::string start_row;
  std::string end_row;
  // At least one; names are unique. The order is kept, and gives each family
  // its id in the log.
  std::vector<ColumnFamilyOptions> families;
};

// INVALID_ARGUMENT naming the first thing wrong with `schema`.
absl::Status ValidateSchema(const RegionSchema& schema);

}  // namespace shale

#endif  // SHALE_REGION_COLUMN_FAMILY_H_
