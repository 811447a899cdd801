#ifndef SHALE_REGION_ROW_CHECK_H_
#define SHALE_REGION_ROW_CHECK_H_

#include <string>
#include <vector>

#include "shale/cell/timestamp.h"

namespace shale {

// Reads as "given OP stored", in the order of bytes. An absent cell compares
// like an empty one.
enum class Comparison {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kNotExists,  // No such cell; an empty one is one. Takes no value.
};

constexpr bool IsComparison(Comparison comparison) {
  return comparison >= Comparison::kEqual &&
         comparison <= Comparison::kNotExists;
}

// What the newest cell of one column has to be.
struct ColumnCondition {
  std::string family;
  std::string qualifier;
  Comparison comparison = Comparison::kEqual;
  std::string value;
  // Only cells with such timestamps are there.
  TimeRange time_range;
};

// Conditions on one row; all have to hold.
struct RowCheck {
  std::string row;
  std::vector<ColumnCondition> conditions;
};

}  // namespace shale

#endif  // SHALE_REGION_ROW_CHECK_H_
