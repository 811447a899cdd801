#include "shale/tools/increment_performance/acknowledged.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace shale {

absl::Status CheckIncrements(
    absl::Span<const std::vector<Acknowledged>> by_thread,
    absl::Span<const int64_t> counters) {
  std::vector<std::vector<int64_t>> sums(counters.size());
  for (const std::vector<Acknowledged>& answers : by_thread) {
    for (const Acknowledged& answer : answers) {
      sums[answer.row].push_back(answer.sum);
    }
  }
  for (size_t row = 0; row < counters.size(); ++row) {
    const int64_t increments = static_cast<int64_t>(sums[row].size());
    if (counters[row] != increments) {
      return absl::DataLossError(
          absl::StrCat("row ", row, ": the counter is ", counters[row],
                       ", and ", increments, " increments were acknowledged"));
    }
    std::sort(sums[row].begin(), sums[row].end());
    for (int64_t i = 0; i < increments; ++i) {
      if (sums[row][i] == i + 1) continue;
      return absl::DataLossError(absl::StrCat(
          "row ", row, ": the answers to its ", increments,
          " increments should be 1 to ", increments,
          ", each once; in place of ", i + 1, " there is ", sums[row][i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace shale
