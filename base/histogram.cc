#include "shale/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/numeric/int128.h"
#include "shale/base/check.h"
#include "shale/base/histogram_buckets.h"

namespace shale {
namespace {

int64_t Saturated(absl::int128 value) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return value > kMost ? kMost : static_cast<int64_t>(value);
}

}  // namespace

void Histogram::Add(int64_t value, int64_t times) {
  SHALE_CHECK(times >= 0) << times;
  if (times == 0) return;
  value = std::max<int64_t>(value, 0);
  const size_t bucket = HistogramBucketOf(value);
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  buckets_[bucket] += times;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  count_ += times;
  sum_ = Saturated(sum_ + absl::int128(value) * times);
}

void Histogram::Merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (other.buckets_.size() > buckets_.size()) {
    buckets_.resize(other.buckets_.size());
  }
  for (size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  sum_ = Saturated(absl::int128(sum_) + other.sum_);
}

double Histogram::mean() const {
  if (count_ == 0) return 0;
  return static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::stddev() const {
  if (count_ == 0) return 0;
  double squares = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    if (buckets_[i] == 0) continue;
    const int bucket = static_cast<int>(i);
    const double middle =
        (static_cast<double>(LowestInHistogramBucket(bucket)) +
         static_cast<double>(HighestInHistogramBucket(bucket))) /
        2;
    const double distance = middle - mean();
    squares += distance * distance * static_cast<double>(buckets_[i]);
  }
  return std::sqrt(squares / static_cast<double>(count_));
}

int64_t Histogram::Percentile(double percent) const {
  SHALE_CHECK(percent >= 0 && percent <= 100) << percent;
  const int64_t rank = static_cast<int64_t>(
      std::ceil(percent / 100 * static_cast<double>(count_)));
  if (rank <= 0) return min_;
  int64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen < rank) continue;
    const int64_t highest = HighestInHistogramBucket(static_cast<int>(i));
    return std::clamp(highest, min_, max_);
  }
  return max_;
}

int64_t Histogram::CountUpTo(int64_t value) const {
  if (value < 0) return 0;
  const size_t end =
      std::min<size_t>(HistogramBucketOf(value) + 1, buckets_.size());
  int64_t counted = 0;
  for (size_t i = 0; i < end; ++i) counted += buckets_[i];
  return counted;
}

}  // namespace shale
