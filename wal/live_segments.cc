#include "shale/wal/live_segments.h"

#include "shale/base/check.h"

namespace shale {

LiveSegments::LiveSegments(uint64_t epoch, LogPosition start,
                           uint64_t source_epoch)
    : epoch_(epoch),
      generation_start_(start),
      source_epoch_(source_epoch),
      kept_from_(start) {}

SegmentHeader LiveSegments::NextHeader(uint64_t counter, LogPosition first,
                                       absl::Time now) const {
  absl::MutexLock lock(&mu_);
  SegmentHeader header{.id = {epoch_, counter},
                       .first = first,
                       .generation_start = generation_start_,
                       .kept_from = kept_from_,
                       .recovered_at = kLogStart,
                       .source_epoch = source_epoch_,
                       .predecessor = 0,
                       .predecessor_bytes = 0,
                       .created = now};
  if (recovered_ <= first) header.recovered_at = recovered_;
  if (!chain_.empty()) {
    const Segment& last = chain_.back();
    SHALE_CHECK(last.first <= first);
    header.predecessor = last.id.counter;
    header.predecessor_bytes =
        kSegmentHeaderBytes + (first.value - last.first.value);
  }
  return header;
}

void LiveSegments::Join(const SegmentHeader& header) {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(chain_.empty() || (chain_.back().id < header.id &&
                                 chain_.back().first <= header.first));
  chain_.push_back({header.id, header.first});
}

void LiveSegments::SetRecovered(LogPosition marker) {
  absl::MutexLock lock(&mu_);
  recovered_ = marker;
}

std::vector<SegmentId> LiveSegments::Trim(LogPosition needed) {
  absl::MutexLock lock(&mu_);
  std::vector<SegmentId> dropped;
  if (recovered_ == kLogStart || !trimming_) return dropped;
  while (chain_.size() > 1 && chain_[1].first <= needed) {
    dropped.push_back(chain_.front().id);
    chain_.pop_front();
    kept_from_ = chain_.front().first;
  }
  return dropped;
}

LogPosition LiveSegments::kept_from() const {
  absl::MutexLock lock(&mu_);
  return kept_from_;
}

void LiveSegments::StopTrimming() {
  absl::MutexLock lock(&mu_);
  trimming_ = false;
}

int64_t LiveSegments::count() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(chain_.size());
}

LogPosition LiveSegments::EndOfExcess(int max) const {
  absl::MutexLock lock(&mu_);
  const int64_t excess = static_cast<int64_t>(chain_.size()) - max;
  return excess <= 0 ? kLogStart : chain_[static_cast<size_t>(excess)].first;
}

}  // namespace shale
