#include "shale/filter/delete_markers.h"

#include <algorithm>

#include "shale/cell/cell_kind.h"

namespace shale {

void DeleteMarkers::StartRow() {
  family_.clear();
  family_versions_.clear();
  StartColumn();
}

void DeleteMarkers::StartColumn() {
  column_ = kNoWriteNumber;
  versions_.clear();
}

void DeleteMarkers::Add(const CellView& marker) {
  const Marker added{marker.timestamp, marker.number};
  switch (marker.kind) {
    case CellKind::kPut:
      break;
    case CellKind::kDeleteFamily:
      if (family_.empty() || family_.back().number < added.number) {
        family_.push_back(added);
      }
      break;
    case CellKind::kDeleteFamilyVersion:
      family_versions_.push_back(added);
      break;
    case CellKind::kDeleteColumn:
      column_ = std::max(column_, added.number);
      break;
    case CellKind::kDelete:
      if (versions_timestamp_ != added.timestamp) versions_.clear();
      versions_timestamp_ = added.timestamp;
      versions_.push_back(added.number);
      break;
  }
}

WriteNumber DeleteMarkers::LastOfFamilyUpTo(Timestamp timestamp) const {
  const auto end = std::partition_point(
      family_.begin(), family_.end(),
      [timestamp](const Marker& m) { return m.timestamp >= timestamp; });
  return end == family_.begin() ? kNoWriteNumber : (end - 1)->number;
}

WriteNumber DeleteMarkers::LastUpTo(Timestamp timestamp) const {
  return std::max(column_, LastOfFamilyUpTo(timestamp));
}

WriteNumber DeleteMarkers::FirstAt(Timestamp timestamp,
                                   WriteNumber number) const {
  WriteNumber first = kMaxWriteNumber;
  if (!versions_.empty() && versions_timestamp_ == timestamp) {
    const auto end =
        std::partition_point(versions_.begin(), versions_.end(),
                             [number](WriteNumber n) { return n >= number; });
    if (end != versions_.begin()) first = *(end - 1);
  }
  const auto end = std::partition_point(
      family_versions_.begin(), family_versions_.end(),
      [timestamp, number](const Marker& m) {
        return m.timestamp > timestamp ||
               (m.timestamp == timestamp && m.number >= number);
      });
  if (end != family_versions_.begin() && (end - 1)->timestamp == timestamp) {
    first = std::min(first, (end - 1)->number);
  }
  return first;
}

}  // namespace shale
