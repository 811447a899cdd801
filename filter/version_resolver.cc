#include "shale/filter/version_resolver.h"

#include <algorithm>
#include <functional>

#include "absl/time/time.h"
#include "shale/base/check.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

// Smaller timestamps are expired at `now`.
Timestamp ExpiredBefore(Timestamp now, absl::Duration ttl) {
  const int64_t ttl_micros = absl::ToInt64Microseconds(ttl);
  return now > ttl_micros ? now - ttl_micros : kMinTimestamp;
}

}  // namespace

Timestamp OldestThatCounts(const RetentionRules& rules, const ReadView& view) {
  if (rules.min_versions > 0) return view.time_range.min;
  return std::max(view.time_range.min, ExpiredBefore(view.now, rules.ttl));
}

VersionResolver::VersionResolver(const RetentionRules& rules, Purpose purpose,
                                 WriteNumber horizon, Timestamp now)
    : rules_(rules),
      purpose_(purpose),
      horizon_(horizon),
      expired_before_(ExpiredBefore(now, rules.ttl)),
      lifetimes_(rules.max_versions) {
  SHALE_CHECK(rules.max_versions >= 1 && rules.min_versions >= 0 &&
              rules.ttl > absl::ZeroDuration())
      << rules.max_versions << ", " << rules.min_versions << ", " << rules.ttl;
}

VersionResolver::VersionResolver(const RetentionRules& rules,
                                 const ReadView& view)
    : VersionResolver(rules, Purpose::kRead, view.read_point, view.now) {
  time_range_ = view.time_range;
  wanted_versions_ = view.max_versions;
}

VersionResolver::VersionResolver(const RetentionRules& rules,
                                 const RewriteView& view)
    : VersionResolver(rules, Purpose::kRewrite, view.smallest_pinned,
                      view.now) {
  scope_ = view.scope;
}

VersionResolver::Verdict VersionResolver::Offer(const CellView& cell) {
  EnterColumnOf(cell);
  // What follows in the column is at least as old. (Family markers too: what
  // they mask is expired.)
  if (cell.timestamp < expired_before_ && rules_.min_versions == 0) {
    return Verdict::kNextColumn;
  }
  if (!IsFamilyDelete(cell.kind) &&
      (column_ended_ || cell.timestamp < time_range_.min)) {
    return EndColumn();
  }
  const bool beyond = cell.number > horizon_;
  if (beyond && purpose_ == Purpose::kRead) return Verdict::kSkip;
  if (beyond && IsDelete(cell.kind)) return Verdict::kInclude;
  const bool by_timestamp = rules_.delete_rule == DeleteRule::kTimestamp;
  if (by_timestamp && !IsDelete(cell.kind)) return OfferPutByTimestamp(cell);
  if (beyond) return Verdict::kInclude;
  if (by_timestamp || scope_ == RewriteScope::kFromOldest) {
    return IsDelete(cell.kind) ? OfferMarker(cell) : OfferPutBySequence(cell);
  }
  return IsDelete(cell.kind) ? OfferMarkerToPart(cell) : OfferPutToPart(cell);
}

void VersionResolver::EnterColumnOf(const CellView& cell) {
  const bool same_row = started_ && cell.row == row_;
  if (same_row && cell.qualifier == qualifier_) return;
  if (same_row) {
    markers_.StartColumn();
  } else {
    started_ = true;
    row_.assign(cell.row.data(), cell.row.size());
    markers_.StartRow();
  }
  qualifier_.assign(cell.qualifier.data(), cell.qualifier.size());
  column_ended_ = false;
  lifetimes_.Clear();
  living_ = 0;
  included_ = 0;
  last_put_number_ = kNoWriteNumber;
  put_cut_ = kNoWriteNumber;
  witnesses_.clear();
}

VersionResolver::Verdict VersionResolver::OfferMarker(const CellView& marker) {
  markers_.Add(marker);
  if (purpose_ == Purpose::kRead || scope_ == RewriteScope::kFromOldest) {
    return Verdict::kSkip;
  }
  return Verdict::kInclude;
}

VersionResolver::Verdict VersionResolver::OfferPutByTimestamp(
    const CellView& put) {
  if (markers_.LastUpTo(put.timestamp) != kNoWriteNumber) return EndColumn();
  if (markers_.FirstAt(put.timestamp, kNoWriteNumber) != kMaxWriteNumber) {
    return Verdict::kSkip;
  }
  if (put.number > horizon_) return Verdict::kInclude;
  const bool overwritten = last_put_number_ != kNoWriteNumber &&
                           last_put_timestamp_ == put.timestamp;
  if (overwritten || !time_range_.Contains(put.timestamp)) {
    return Verdict::kSkip;
  }
  last_put_timestamp_ = put.timestamp;
  last_put_number_ = put.number;
  ++living_;
  if (living_ > rules_.max_versions || HiddenByAge(put)) return EndColumn();
  return living_ == std::min(rules_.max_versions, wanted_versions_)
             ? IncludeAndEndColumn()
             : Verdict::kInclude;
}

VersionResolver::Verdict VersionResolver::OfferPutBySequence(
    const CellView& put) {
  if (put.number <= markers_.LastUpTo(put.timestamp) ||
      put.number < lifetimes_.excess_below()) {
    return Verdict::kSkip;
  }
  const WriteNumber death = DeathOf(put);
  if (death > put.number) lifetimes_.Add(put.number, death);
  if (death != kMaxWriteNumber) return Verdict::kSkip;
  ++living_;
  if (HiddenByAge(put)) return EndColumn();
  const bool last = lifetimes_.excess_below() == kMaxWriteNumber;
  if (!time_range_.Contains(put.timestamp)) {
    return last ? EndColumn() : Verdict::kSkip;
  }
  ++included_;
  return last || included_ == wanted_versions_ ? IncludeAndEndColumn()
                                               : Verdict::kInclude;
}

VersionResolver::Verdict VersionResolver::OfferMarkerToPart(
    const CellView& marker) {
  const WriteNumber cut =
      IsFamilyDelete(marker.kind)
          ? markers_.LastOfFamilyUpTo(marker.timestamp)
          : std::max(markers_.LastUpTo(marker.timestamp), put_cut_);
  if (marker.number <= cut) return Verdict::kSkip;
  markers_.Add(marker);
  return Verdict::kInclude;
}

VersionResolver::Verdict VersionResolver::OfferPutToPart(const CellView& put) {
  if (put.number <= markers_.LastUpTo(put.timestamp) ||
      put.number <= put_cut_) {
    return Verdict::kSkip;
  }
  const WriteNumber death = DeathOf(put);
  if (death == put.number) return Verdict::kSkip;
  if (scope_ == RewriteScope::kRun) RaisePutCut(put.number, death);
  return Verdict::kInclude;
}

bool VersionResolver::HiddenByAge(const CellView& put) const {
  return put.timestamp < expired_before_ && living_ > rules_.min_versions;
}

// When a marker of exactly its timestamp, or the put that overwrote it, ended
// `put`; kMaxWriteNumber if none has. An equal number means that it never
// lived.
WriteNumber VersionResolver::DeathOf(const CellView& put) {
  WriteNumber death = markers_.FirstAt(put.timestamp, put.number);
  if (last_put_number_ != kNoWriteNumber &&
      last_put_timestamp_ == put.timestamp) {
    death = std::min(death, last_put_number_);
  }
  last_put_timestamp_ = put.timestamp;
  last_put_number_ = put.number;
  return death;
}

void VersionResolver::RaisePutCut(WriteNumber birth, WriteNumber death) {
  if (rules_.max_versions == 1) {
    put_cut_ = std::max(put_cut_, birth);
    return;
  }
  if (death != kMaxWriteNumber) return;
  witnesses_.push_back(birth);
  std::push_heap(witnesses_.begin(), witnesses_.end(), std::greater<>());
  const size_t needed = static_cast<size_t>(rules_.max_versions);
  if (witnesses_.size() < needed) return;
  if (witnesses_.size() > needed) {
    std::pop_heap(witnesses_.begin(), witnesses_.end(), std::greater<>());
    witnesses_.pop_back();
  }
  put_cut_ = witnesses_.front();
}

VersionResolver::Verdict VersionResolver::EndColumn() {
  if (purpose_ == Purpose::kRewrite) return Verdict::kSkip;
  column_ended_ = true;
  // The empty column is never left early: family markers are among its cells.
  return qualifier_.empty() ? Verdict::kSkip : Verdict::kNextColumn;
}

VersionResolver::Verdict VersionResolver::IncludeAndEndColumn() {
  return EndColumn() == Verdict::kNextColumn ? Verdict::kIncludeAndNextColumn
                                             : Verdict::kInclude;
}

}  // namespace shale
