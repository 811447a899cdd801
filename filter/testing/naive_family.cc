#include "shale/filter/testing/naive_family.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "absl/time/time.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

bool Before(const Cell& a, const Cell& b) {
  return CompareCells(a.view(), b.view()) < 0;
}

// Whether `marker` masks `put`, as far as kind and timestamp say.
bool Matches(const Cell& marker, const Cell& put) {
  switch (marker.kind) {
    case CellKind::kPut:
      return false;
    case CellKind::kDelete:
      return marker.qualifier == put.qualifier &&
             marker.timestamp == put.timestamp;
    case CellKind::kDeleteColumn:
      return marker.qualifier == put.qualifier &&
             marker.timestamp >= put.timestamp;
    case CellKind::kDeleteFamilyVersion:
      return marker.timestamp == put.timestamp;
    case CellKind::kDeleteFamily:
      return marker.timestamp >= put.timestamp;
  }
  return false;
}

template <typename Range>
bool AnyMatches(const Range& markers, const Cell& put, WriteNumber horizon) {
  return std::any_of(markers.begin(), markers.end(), [&](const Cell& marker) {
    return marker.number <= horizon && Matches(marker, put);
  });
}

}  // namespace

void NaiveFamily::Apply(const Cell& cell) {
  Row& row = rows_[cell.row];
  const auto place = std::lower_bound(row.begin(), row.end(), cell, Before);
  if (place == row.end() || Before(cell, *place)) row.insert(place, cell);
}

bool NaiveFamily::Expired(const Cell& cell, Timestamp now) const {
  return rules_.ttl != absl::InfiniteDuration() &&
         cell.timestamp < now - absl::ToInt64Microseconds(rules_.ttl);
}

// All writes up to the read point are applied one after the other. A put takes
// the place of one with its timestamp. A marker removes the puts that it
// matches, which were all written before it or with it. Then each column keeps
// the puts of its newest max_versions timestamps. What is gone is gone for
// good.
std::map<std::string, NaiveFamily::Column> NaiveFamily::ColumnsBySequence(
    const Row& row, WriteNumber read_point) const {
  std::map<WriteNumber, std::vector<Cell>> writes;
  for (const Cell& cell : row) {
    if (cell.number <= read_point) writes[cell.number].push_back(cell);
  }
  using Versions = std::map<Timestamp, Cell, std::greater<>>;
  std::map<std::string, Versions> columns;
  for (const auto& [number, cells] : writes) {
    for (const Cell& cell : cells) {
      if (!IsDelete(cell.kind)) columns[cell.qualifier][cell.timestamp] = cell;
    }
    for (auto& [qualifier, versions] : columns) {
      for (auto put = versions.begin(); put != versions.end();) {
        put = AnyMatches(cells, put->second, kMaxWriteNumber)
                  ? versions.erase(put)
                  : std::next(put);
      }
      while (versions.size() > static_cast<size_t>(rules_.max_versions)) {
        versions.erase(std::prev(versions.end()));
      }
    }
  }
  std::map<std::string, Column> result;
  for (const auto& [qualifier, versions] : columns) {
    for (const auto& [timestamp, put] : versions) {
      result[qualifier].push_back(put);
    }
  }
  return result;
}

// A marker masks the puts that it matches, whenever they were written. Of puts
// with one timestamp the last one written counts.
std::map<std::string, NaiveFamily::Column> NaiveFamily::ColumnsByTimestamp(
    const Row& row, WriteNumber read_point) const {
  std::map<std::string, Column> columns;
  for (const Cell& cell : row) {
    if (IsDelete(cell.kind) || cell.number > read_point) continue;
    if (AnyMatches(row, cell, read_point)) continue;
    Column& column = columns[cell.qualifier];
    if (!column.empty() && column.back().timestamp == cell.timestamp) continue;
    column.push_back(cell);
  }
  return columns;
}

std::vector<Cell> NaiveFamily::Read(absl::string_view row,
                                    const ReadView& view) const {
  const auto stored = rows_.find(std::string(row));
  if (stored == rows_.end()) return {};
  const bool by_timestamp = rules_.delete_rule == DeleteRule::kTimestamp;
  std::vector<Cell> result;
  for (const auto& [qualifier, puts] :
       by_timestamp ? ColumnsByTimestamp(stored->second, view.read_point)
                    : ColumnsBySequence(stored->second, view.read_point)) {
    int versions = 0;
    int wanted = 0;
    for (const Cell& put : puts) {
      const bool in_range = view.time_range.Contains(put.timestamp);
      if (by_timestamp && !in_range) continue;  // Does not count as a version.
      ++versions;
      if (versions > rules_.max_versions) break;
      if (Expired(put, view.now) && versions > rules_.min_versions) break;
      if (in_range && ++wanted <= view.max_versions) result.push_back(put);
    }
  }
  return result;
}

// Nothing that a read could see is lost, except that an expired put hidden by
// min_versions newer ones does not come back if one of those is deleted.
NaiveFamily::Row NaiveFamily::RewrittenBySequence(
    const Row& row, const WriteRange& numbers, const RewriteView& view) const {
  if (view.scope != RewriteScope::kFromOldest || rules_.min_versions == 0) {
    return row;
  }
  std::set<Cell, decltype(&Before)> forgotten(&Before);
  for (const auto& [qualifier, puts] :
       ColumnsBySequence(row, std::min(view.smallest_pinned, numbers.last))) {
    for (size_t i = rules_.min_versions; i < puts.size(); ++i) {
      if (Expired(puts[i], view.now)) forgotten.insert(puts[i]);
    }
  }
  Row kept;
  for (const Cell& cell : row) {
    if (forgotten.count(cell) == 0) kept.push_back(cell);
  }
  return kept;
}

// Of the cells at hand and up to the smallest pinned number: expired ones go,
// masked puts go, overwritten and excess puts go, markers go if this is a
// compaction from the oldest. A newer put goes only if masked.
NaiveFamily::Row NaiveFamily::RewrittenByTimestamp(
    const Row& row, const WriteRange& numbers, const RewriteView& view) const {
  Row inputs;
  Row kept;
  for (const Cell& cell : row) {
    const bool input =
        numbers.first <= cell.number && cell.number <= numbers.last;
    (input ? inputs : kept).push_back(cell);
  }
  std::map<std::string, Column> columns;
  for (const Cell& cell : inputs) {
    if (Expired(cell, view.now) && rules_.min_versions == 0) continue;
    const bool newer = cell.number > view.smallest_pinned;
    if (IsDelete(cell.kind)) {
      if (newer || view.scope != RewriteScope::kFromOldest) {
        kept.push_back(cell);
      }
      continue;
    }
    if (AnyMatches(inputs, cell, view.smallest_pinned)) continue;
    if (newer) {
      kept.push_back(cell);
      continue;
    }
    Column& column = columns[cell.qualifier];
    if (!column.empty() && column.back().timestamp == cell.timestamp) continue;
    column.push_back(cell);
    const int version = static_cast<int>(column.size());
    const bool hidden =
        Expired(cell, view.now) && version > rules_.min_versions;
    if (version <= rules_.max_versions && !hidden) kept.push_back(cell);
  }
  std::sort(kept.begin(), kept.end(), Before);
  return kept;
}

void NaiveFamily::Rewrite(const WriteRange& numbers, const RewriteView& view) {
  for (auto& [key, row] : rows_) {
    row = rules_.delete_rule == DeleteRule::kTimestamp
              ? RewrittenByTimestamp(row, numbers, view)
              : RewrittenBySequence(row, numbers, view);
  }
}

std::vector<Cell> NaiveFamily::cells() const {
  std::vector<Cell> all;
  for (const auto& [key, row] : rows_) {
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace shale
