#include "shale/wal/unflushed_tracker.h"

#include <algorithm>

#include "absl/functional/function_ref.h"
#include "absl/numeric/bits.h"

namespace shale {
namespace {

void ForEachBit(uint64_t mask, absl::FunctionRef<void(int)> visit) {
  for (; mask != 0; mask &= mask - 1) visit(absl::countr_zero(mask));
}

std::optional<LogPosition> Older(std::optional<LogPosition> a,
                                 std::optional<LogPosition> b) {
  if (!a.has_value()) return b;
  if (!b.has_value()) return a;
  return std::min(*a, *b);
}

}  // namespace

void UnflushedTracker::Floors::Lower(int bit, LogPosition position) {
  const uint64_t one = uint64_t{1} << bit;
  if ((mask & one) == 0 || position < positions[bit]) positions[bit] = position;
  mask |= one;
}

std::optional<LogPosition> UnflushedTracker::Floors::Oldest() const {
  std::optional<LogPosition> oldest;
  ForEachBit(mask, [&](int bit) { oldest = Older(oldest, positions[bit]); });
  return oldest;
}

void UnflushedTracker::Add(const Uuid& region, uint64_t families,
                           LogPosition start) {
  if (families == 0) return;
  absl::MutexLock lock(&mu_);
  Floors& active = regions_[region].active;
  // Entries come in order, so only a family's first one counts.
  ForEachBit(families & ~active.mask,
             [&](int bit) { active.Lower(bit, start); });
}

void UnflushedTracker::StartFlush(const Uuid& region, uint64_t families) {
  absl::MutexLock lock(&mu_);
  const auto found = regions_.find(region);
  if (found == regions_.end()) return;
  Region& r = found->second;
  ForEachBit(families & r.active.mask,
             [&r](int bit) { r.frozen.Lower(bit, r.active.positions[bit]); });
  r.active.mask &= ~families;
}

void UnflushedTracker::FinishFlush(const Uuid& region, uint64_t families) {
  absl::MutexLock lock(&mu_);
  const auto found = regions_.find(region);
  if (found == regions_.end()) return;
  found->second.frozen.mask &= ~families;
  DropIfEmpty(region);
}

void UnflushedTracker::Forget(const Uuid& region) {
  absl::MutexLock lock(&mu_);
  regions_.erase(region);
}

std::optional<LogPosition> UnflushedTracker::Oldest(const Uuid& region) const {
  absl::MutexLock lock(&mu_);
  const auto found = regions_.find(region);
  if (found == regions_.end()) return std::nullopt;
  return Older(found->second.active.Oldest(), found->second.frozen.Oldest());
}

std::optional<LogPosition> UnflushedTracker::OldestAfterFlush(
    const Uuid& region) const {
  absl::MutexLock lock(&mu_);
  const auto found = regions_.find(region);
  if (found == regions_.end()) return std::nullopt;
  return found->second.active.Oldest();
}

std::optional<LogPosition> UnflushedTracker::Oldest() const {
  absl::MutexLock lock(&mu_);
  std::optional<LogPosition> oldest;
  for (const auto& [uuid, region] : regions_) {
    oldest =
        Older(oldest, Older(region.active.Oldest(), region.frozen.Oldest()));
  }
  return oldest;
}

void UnflushedTracker::DropIfEmpty(const Uuid& region) {
  const auto found = regions_.find(region);
  if (found->second.active.mask == 0 && found->second.frozen.mask == 0) {
    regions_.erase(found);
  }
}

}  // namespace shale
