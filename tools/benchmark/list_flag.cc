#include "shale/tools/benchmark/list_flag.h"

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "shale/base/status_macros.h"

namespace shale {

absl::StatusOr<std::vector<std::string>> ParseNames(
    absl::string_view flag, absl::string_view text,
    absl::Span<const std::string> known) {
  if (text.empty()) return std::vector<std::string>(known.begin(), known.end());
  std::vector<std::string> names;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    if (!absl::c_linear_search(known, name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, ": \"", name, "\" is none of ",
                       absl::StrJoin(known, ", ")));
    }
    if (absl::c_linear_search(names, name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, ": ", name, " is there twice"));
    }
    names.emplace_back(name);
  }
  return names;
}

absl::StatusOr<std::vector<int>> ParseNumbers(absl::string_view flag,
                                              absl::string_view text, int min,
                                              int max) {
  std::vector<int> numbers;
  for (const absl::string_view word : absl::StrSplit(text, ',')) {
    int number = 0;
    if (!absl::SimpleAtoi(word, &number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, ": \"", word, "\" is no number"));
    }
    SHALE_RETURN_IF_ERROR(CheckRange(flag, number, min, max));
    if (absl::c_linear_search(numbers, number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, ": ", number, " is there twice"));
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::Status CheckRange(absl::string_view flag, int64_t value, int64_t min,
                        int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, ": ", value, " is not in [", min, ", ", max, "]"));
}

}  // namespace shale
