#ifndef SHALE_TOOLS_BENCHMARK_LIST_FLAG_H_
#define SHALE_TOOLS_BENCHMARK_LIST_FLAG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/check.h"

namespace shale {

// What a flag lists, separated by commas: names out of `known`; empty stands
// for all of them. INVALID_ARGUMENT naming flag and word, also for one that is
// there twice.
absl::StatusOr<std::vector<std::string>> ParseNames(
    absl::string_view flag, absl::string_view text,
    absl::Span<const std::string> known);

// The same for numbers in [min, max]; at least one.
absl::StatusOr<std::vector<int>> ParseNumbers(absl::string_view flag,
                                              absl::string_view text, int min,
                                              int max);

// One number, as gflags has parsed it. INVALID_ARGUMENT if out of range.
absl::Status CheckRange(absl::string_view flag, int64_t value, int64_t min,
                        int64_t max);

// The names of a seam's variants, such as MvccVariants().
template <typename Variant>
std::vector<std::string> NamesOf(absl::Span<const Variant> variants) {
  std::vector<std::string> names;
  for (const Variant& variant : variants) names.push_back(variant.name);
  return names;
}

// REQUIRES: `name` is among them.
template <typename Variant>
const Variant& FindVariant(absl::Span<const Variant> variants,
                           absl::string_view name) {
  for (const Variant& variant : variants) {
    if (variant.name == name) return variant;
  }
  SHALE_CHECK(false) << "no variant " << name;
  return variants.front();
}

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_LIST_FLAG_H_
