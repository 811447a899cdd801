#ifndef SHALE_REGION_TESTING_COUNTERS_H_
#define SHALE_REGION_TESTING_COUNTERS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/region/row_result.h"

namespace shale {

// What the counter of a column is at, if the row has one. REQUIRES: its value
// is one, of 8 bytes.
inline std::optional<int64_t> CounterOf(const RowResult& row,
                                        absl::string_view family = "f",
                                        absl::string_view qualifier = "q") {
  const std::optional<absl::string_view> value = row.Value(family, qualifier);
  if (!value.has_value()) return std::nullopt;
  return static_cast<int64_t>(DecodeBigEndian64(value->data()));
}

}  // namespace shale

#endif  // SHALE_REGION_TESTING_COUNTERS_H_
