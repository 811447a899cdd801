#ifndef SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_
#define SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// What one thread did to one row, which has a counter and a text, and what it
// was told. Two operations that overlap in [called, returned] may have happened
// in either order; otherwise the one that returned first came first.
struct RowOperation {
  enum class Kind { kIncrement, kAppend, kPut, kDelete, kRead, kReadCount };
  Kind kind = Kind::kRead;
  // Of kIncrement the delta (by 0 it makes no counter); of kAppend the number
  // whose digits the text grows by; of kPut the counter. kDelete takes both.
  int64_t argument = 0;
  // If `checked`, it happens only if the counter is `expected` (nothing:
  // absent), and `matched` is whether it did. Not of reads.
  bool checked = false;
  std::optional<int64_t> expected;
  bool matched = true;
  // What it was told, if it happened: the sum; the text with what was appended;
  // both by kRead, the counter by kReadCount. A text that is absent is empty.
  std::optional<int64_t> count;
  std::string text;
  // In some order of all events; called < returned.
  int64_t called = 0;
  int64_t returned = 0;
  // Never confirmed: it happens at any time after it was called, or never.
  // It was told nothing, and `returned` doesn't matter. Not of reads.
  bool unknown = false;

  std::string ToString() const;
};

// Whether some order of `history`, which begins with the row absent, agrees
// with all times and all answers. The search of Wing and Gong (1993), with
// Lowe's memory of states already visited. REQUIRES: at most 64 operations.
bool IsLinearizable(const std::vector<RowOperation>& history);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_LINEARIZABILITY_CHECKER_H_
