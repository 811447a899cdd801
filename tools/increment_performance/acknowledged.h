#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_ACKNOWLEDGED_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_ACKNOWLEDGED_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// An increment by one that was acknowledged: its row, and the sum that the
// caller was told.
struct Acknowledged {
  int64_t row = 0;
  int64_t sum = 0;
};

// Holds the answers to all increments of a run against what `counters` has in
// the end, by row. A row with n increments must hold n, and its answers must be
// 1 to n, each once. DATA_LOSS naming the first row where that isn't so.
absl::Status CheckIncrements(
    absl::Span<const std::vector<Acknowledged>> by_thread,
    absl::Span<const int64_t> counters);

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_ACKNOWLEDGED_H_
