// The distribution of many integers in little memory.
#ifndef SHALE_BASE_HISTOGRAM_H_
#define SHALE_BASE_HISTOGRAM_H_

#include <cstdint>
#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// Counts values of [0, 2^63) in buckets at most 1/64 of their value wide (see
// histogram_buckets.h): nothing is sampled and nothing decays. Takes up to 30
// KB, less if all values are small: one 8-byte count for each bucket up to the
// largest value's. The unit is the caller's. Not thread-safe;
// ConcurrentHistogram is.
class Histogram {
 public:
  // Counts `value`, a negative one as 0, `times` times. The sum of all values
  // stays at 2^63-1 once it gets there. REQUIRES: times >= 0.
  void Add(int64_t value, int64_t times = 1);

  // As if all values of `other` had been added to this one.
  void Merge(const Histogram& other);

  // Exact; 0 if there are no values.
  int64_t count() const { return count_; }
  int64_t sum() const { return sum_; }
  int64_t min() const { return min_; }
  int64_t max() const { return max_; }
  double mean() const;

  // Of the values' whole population, within 1/64 of each value; 0 if there are
  // none.
  double stddev() const;

  // The least value that at least `percent` % of the values do not exceed: at
  // most 1/64 too large, exact at 0 (the minimum) and 100 (the maximum). 0 if
  // there are no values. REQUIRES: 0 <= percent <= 100.
  int64_t Percentile(double percent) const;

  // How many values are <= `value`, which must be the highest of a bucket to be
  // exact; else those of its bucket are all counted.
  int64_t CountUpTo(int64_t value) const;

 private:
  friend class ConcurrentHistogram;  // Fills one from its own buckets.

  std::vector<int64_t> buckets_;  // Up to the largest value's.
  int64_t count_ = 0;
  int64_t sum_ = 0;
  int64_t min_ = 0;
  int64_t max_ = 0;
};

}  // namespace shale

#endif  // SHALE_BASE_HISTOGRAM_H_
