#include "shale/filter/lifetimes.h"

#include <algorithm>
#include <iterator>

namespace shale {

void Lifetimes::Clear() {
  excess_below_ = kNoWriteNumber;
  living_ = 0;
  living_births_.clear();
  depths_.clear();
}

void Lifetimes::Add(WriteNumber birth, WriteNumber death) {
  if (max_versions_ == 1) {
    excess_below_ = std::max(excess_below_, death);
    return;
  }
  if (death == kMaxWriteNumber) {
    if (++living_ == max_versions_) {
      excess_below_ = kMaxWriteNumber;
      return;
    }
    if (depths_.empty()) {
      living_births_.push_back(birth);
      return;
    }
  }
  if (depths_.empty()) {
    depths_[excess_below_] = 0;
    for (const WriteNumber living : living_births_) {
      AddToDepths(living, kMaxWriteNumber);
    }
  }
  AddToDepths(birth, death);
}

void Lifetimes::AddToDepths(WriteNumber birth, WriteNumber death) {
  const auto begin = SplitAt(birth);
  const auto end = death == kMaxWriteNumber ? depths_.end() : SplitAt(death);
  for (auto stretch = begin; stretch != end; ++stretch) {
    if (++stretch->second < max_versions_) continue;
    const auto next = std::next(stretch);
    excess_below_ = next == depths_.end() ? kMaxWriteNumber : next->first;
  }
  depths_.erase(depths_.begin(), depths_.lower_bound(excess_below_));
}

Lifetimes::Depths::iterator Lifetimes::SplitAt(WriteNumber number) {
  const auto after = depths_.upper_bound(number);
  const auto stretch = std::prev(after);
  if (stretch->first == number) return stretch;
  return depths_.emplace_hint(after, number, stretch->second);
}

}  // namespace shale
