#ifndef SHALE_STOREFILE_BLOOM_KIND_H_
#define SHALE_STOREFILE_BLOOM_KIND_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// What a store file's bloom filter knows. The codes are on disk.
enum class BloomKind : uint8_t {
  kNone = 0,
  kRow = 1,        // Rows: spares reads of rows that the file doesn't have.
  kRowColumn = 2,  // Columns of rows: the same for reads of single columns.
};

// False for any byte that is no code, as read from a damaged file.
constexpr bool IsBloomKind(uint8_t code) { return code <= 2; }

// "none", "row", "row_column".
constexpr absl::string_view BloomKindName(BloomKind kind) {
  return kind == BloomKind::kRow         ? "row"
         : kind == BloomKind::kRowColumn ? "row_column"
                                         : "none";
}

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOOM_KIND_H_
