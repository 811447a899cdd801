#include "shale/storefile/separator.h"

#include <algorithm>

#include "shale/cell/cell_key.h"

namespace shale {
namespace {

// The shortest prefix of `name` that sorts after `before`. REQUIRES: before <
// name.
absl::string_view ShortestPrefix(absl::string_view before,
                                 absl::string_view name) {
  const size_t limit = std::min(before.size(), name.size());
  const size_t same =
      std::mismatch(name.begin(), name.begin() + limit, before.begin()).first -
      name.begin();
  return name.substr(0, same + 1);
}

}  // namespace

std::string ShortestSeparator(absl::string_view before, absl::string_view key) {
  if (before.empty()) return FirstKeyOfRow("");
  const absl::string_view row = CellKeyRow(key);
  const absl::string_view row_before = CellKeyRow(before);
  if (row_before != row) return FirstKeyOfRow(ShortestPrefix(row_before, row));
  const absl::string_view qualifier = CellKeyQualifier(key);
  const absl::string_view qualifier_before = CellKeyQualifier(before);
  if (qualifier_before != qualifier) {
    return FirstKeyOfColumn(row, ShortestPrefix(qualifier_before, qualifier));
  }
  return std::string(key);
}

}  // namespace shale
