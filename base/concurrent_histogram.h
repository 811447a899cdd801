// A histogram that many threads record into.
#ifndef SHALE_BASE_CONCURRENT_HISTOGRAM_H_
#define SHALE_BASE_CONCURRENT_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "shale/base/histogram.h"
#include "shale/base/histogram_buckets.h"

namespace shale {

// Thread-safe and lock-free. The same buckets as Histogram; 64 of them take 512
// bytes, once a value falls among them. A Record() is two relaxed additions and
// two loads: cheap next to anything that takes time worth recording.
class ConcurrentHistogram {
 public:
  ConcurrentHistogram() = default;
  ConcurrentHistogram(const ConcurrentHistogram&) = delete;
  ConcurrentHistogram& operator=(const ConcurrentHistogram&) = delete;
  ~ConcurrentHistogram();

  // Counts `value`, a negative one as 0. The sum of all values must stay below
  // 2^63: in nanoseconds that is 292 years.
  void Record(int64_t value);

  // Everything recorded before the call. Of what is recorded meanwhile, a value
  // may be in the counts and not yet in the sum, or the other way round.
  Histogram Snapshot() const;

 private:
  using Group = std::array<std::atomic<int64_t>, kHistogramBucketsInGroup>;

  Group& GroupOf(int bucket);

  // Statistics: relaxed, and paired with nothing, but for groups_: a group is
  // published by release and read by acquire, so that its zeros are seen.
  std::array<std::atomic<Group*>, kHistogramGroups> groups_ = {};
  std::atomic<int64_t> sum_ = 0;
  std::atomic<int64_t> min_ = INT64_MAX;
  std::atomic<int64_t> max_ = 0;
};

}  // namespace shale

#endif  // SHALE_BASE_CONCURRENT_HISTOGRAM_H_
