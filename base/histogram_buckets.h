// How histograms put values into buckets.
#ifndef SHALE_BASE_HISTOGRAM_BUCKETS_H_
#define SHALE_BASE_HISTOGRAM_BUCKETS_H_

#include <cstdint>

#include "absl/numeric/bits.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Log-linear, after HdrHistogram (Tene): group 0 holds 0 to 63, one value a
// bucket; group g > 0 holds [2^(g+5), 2^(g+6)) in 64 buckets of equal width. So
// a bucket is never wider than 1/64 of its lowest value. Bucket b lies in group
// b / 64. Values are >= 0.
inline constexpr int kHistogramBucketsInGroup = 64;
inline constexpr int kHistogramGroups = 58;  // The last ends at 2^63 - 1.
inline constexpr int kHistogramBuckets =
    kHistogramGroups * kHistogramBucketsInGroup;

inline int HistogramBucketOf(int64_t value) {
  if (value < kHistogramBucketsInGroup) return static_cast<int>(value);
  const int group = absl::bit_width(static_cast<uint64_t>(value)) - 6;
  const int within = static_cast<int>(value >> (group - 1)) & 63;
  return group * kHistogramBucketsInGroup + within;
}

inline int64_t LowestInHistogramBucket(int bucket) {
  const int group = bucket / kHistogramBucketsInGroup;
  const int64_t within = bucket % kHistogramBucketsInGroup;
  return group == 0 ? within
                    : (kHistogramBucketsInGroup + within) << (group - 1);
}

inline int64_t HighestInHistogramBucket(int bucket) {
  const int group = bucket / kHistogramBucketsInGroup;
  const int64_t width = group == 0 ? 1 : int64_t{1} << (group - 1);
  return LowestInHistogramBucket(bucket) + (width - 1);
}

}  // namespace shale

#endif  // SHALE_BASE_HISTOGRAM_BUCKETS_H_
