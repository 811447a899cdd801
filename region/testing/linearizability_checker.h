#ifndef SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_
#define SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// What one thread did to one counter, and what it was told. Two operations that
// overlap in [called, returned] may have happened in either order; otherwise
// the one that returned first came first.
struct CounterOperation {
  enum class Kind { kIncrement, kPut, kDelete, kCheckAndPut, kRead };
  Kind kind = Kind::kRead;
  // The delta, or the value put.
  int64_t argument = 0;
  // Of kCheckAndPut: what the counter has to be; nothing: absent.
  std::optional<int64_t> expected;
  // The sum, or what was read. Of kCheckAndPut: 1 if it matched, else 0.
  std::optional<int64_t> result;
  // In some order of all events; called < returned.
  int64_t called = 0;
  int64_t returned = 0;
  // Never confirmed: it happens at any time after it was called, or never.
  // There is no result, and `returned` doesn't matter. Not of kRead.
  bool unknown = false;

  std::string ToString() const;
};

// Whether some order of `history`, which begins with the counter absent, agrees
// with all times and all answers. The search of Wing and Gong (1993), with
// Lowe's memory of states already visited. REQUIRES: at most 64 operations.
bool IsLinearizable(const std::vector<CounterOperation>& history);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_
