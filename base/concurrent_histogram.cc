#include "shale/base/concurrent_histogram.h"

#include <algorithm>
#include <memory>

#include "shale/base/raise_to.h"

namespace shale {

ConcurrentHistogram::~ConcurrentHistogram() {
  for (std::atomic<Group*>& group : groups_) {
    delete group.load(std::memory_order_relaxed);
  }
}

void ConcurrentHistogram::Record(int64_t value) {
  value = std::max<int64_t>(value, 0);
  const int bucket = HistogramBucketOf(value);
  GroupOf(bucket)[bucket % kHistogramBucketsInGroup].fetch_add(
      1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
  // A failed exchange has loaded what another thread put there.
  int64_t min = min_.load(std::memory_order_relaxed);
  while (value < min &&
         !min_.compare_exchange_weak(min, value, std::memory_order_relaxed)) {
  }
  RaiseTo(max_, value);
}

ConcurrentHistogram::Group& ConcurrentHistogram::GroupOf(int bucket) {
  std::atomic<Group*>& slot = groups_[bucket / kHistogramBucketsInGroup];
  Group* group = slot.load(std::memory_order_acquire);
  if (group != nullptr) return *group;
  auto made = std::make_unique<Group>();
  if (slot.compare_exchange_strong(group, made.get(),
                                   std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *group;  // Another thread was faster.
}

Histogram ConcurrentHistogram::Snapshot() const {
  Histogram snapshot;
  for (int g = 0; g < kHistogramGroups; ++g) {
    const Group* group = groups_[g].load(std::memory_order_acquire);
    if (group == nullptr) continue;
    snapshot.buckets_.resize((g + 1) * kHistogramBucketsInGroup);
    for (int i = 0; i < kHistogramBucketsInGroup; ++i) {
      const int64_t times = (*group)[i].load(std::memory_order_relaxed);
      snapshot.buckets_[g * kHistogramBucketsInGroup + i] = times;
      snapshot.count_ += times;
    }
  }
  if (snapshot.count_ == 0) return Histogram();
  snapshot.sum_ = sum_.load(std::memory_order_relaxed);
  snapshot.min_ = min_.load(std::memory_order_relaxed);
  snapshot.max_ = max_.load(std::memory_order_relaxed);
  return snapshot;
}

}  // namespace shale
