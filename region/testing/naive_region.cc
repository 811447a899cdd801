#include "shale/region/testing/naive_region.h"

#include <algorithm>
#include <utility>

#include "shale/cell/cell_key.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

bool InScan(const Scan& scan, const std::string& row) {
  if (scan.include_start ? row < scan.start_row : row <= scan.start_row) {
    return false;
  }
  if (scan.stop_row.empty()) return true;
  return scan.include_stop ? row <= scan.stop_row : row < scan.stop_row;
}

// Whether `columns` ask for that column. None means all; so does a family
// without qualifiers, even if it is named a second time with some.
bool Selected(const std::vector<ColumnSelection>& columns,
              const std::string& family, const std::string& qualifier) {
  if (columns.empty()) return true;
  return std::any_of(
      columns.begin(), columns.end(), [&](const ColumnSelection& selection) {
        const std::vector<std::string>& wanted = selection.qualifiers;
        return selection.family == family &&
               (wanted.empty() ||
                std::count(wanted.begin(), wanted.end(), qualifier) > 0);
      });
}

}  // namespace

NaiveRegion::NaiveRegion(const RegionSchema& schema,
                         const RegionOptions& options)
    : schema_(schema), options_(options) {
  for (const ColumnFamilyOptions& family : schema.families) {
    families_.emplace(family.name, NaiveFamily(family.retention));
  }
}

std::vector<absl::StatusCode> NaiveRegion::Apply(const MutationBatch& batch,
                                                 Timestamp commit_timestamp) {
  std::vector<absl::StatusCode> codes;
  bool refused = false;
  for (const RowMutation& mutation : batch.mutations) {
    codes.push_back(Judge(mutation));
    if (codes.back() != absl::StatusCode::kOk) refused = true;
  }
  if (refused && batch.atomic) {
    std::replace(codes.begin(), codes.end(), absl::StatusCode::kOk,
                 absl::StatusCode::kAborted);
    return codes;
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] != absl::StatusCode::kOk) continue;
    const RowMutation& mutation = batch.mutations[i];
    rows_.insert(mutation.row());
    for (const Edit& edit : mutation.edits()) {
      ApplyEdit(mutation.row(), edit, commit_timestamp);
    }
  }
  return codes;
}

absl::StatusCode NaiveRegion::Judge(const RowMutation& mutation) const {
  const std::string& row = mutation.row();
  if (row.empty() || row.size() > kMaxRowBytes) {
    return absl::StatusCode::kInvalidArgument;
  }
  if (row < schema_.start_row ||
      (!schema_.end_row.empty() && row >= schema_.end_row)) {
    return absl::StatusCode::kOutOfRange;
  }
  if (mutation.edits().empty()) return absl::StatusCode::kInvalidArgument;
  for (const Edit& edit : mutation.edits()) {
    const absl::StatusCode code = JudgeEdit(mutation, edit);
    if (code != absl::StatusCode::kOk) return code;
  }
  return absl::StatusCode::kOk;
}

absl::StatusCode NaiveRegion::JudgeEdit(const RowMutation& mutation,
                                        const Edit& edit) const {
  if (!edit.all_families && families_.count(edit.family) == 0) {
    return absl::StatusCode::kNotFound;
  }
  const bool of_one_version = edit.kind == CellKind::kDelete ||
                              edit.kind == CellKind::kDeleteFamilyVersion;
  const size_t cell_bytes = mutation.row().size() + edit.qualifier.size() +
                            kCellKeySuffixBytes + edit.value.size();
  if (edit.qualifier.size() > kMaxQualifierBytes || edit.timestamp < 0 ||
      (of_one_version && edit.timestamp == kLatestTimestamp) ||
      cell_bytes > options_.max_cell_bytes) {
    return absl::StatusCode::kInvalidArgument;
  }
  return absl::StatusCode::kOk;
}

void NaiveRegion::ApplyEdit(const std::string& row, const Edit& edit,
                            Timestamp commit_timestamp) {
  last_ = last_ + 1;
  for (auto& [name, family] : families_) {
    if (!edit.all_families && name != edit.family) continue;
    Cell cell;
    cell.row = row;
    cell.family = name;
    cell.qualifier = edit.qualifier;
    cell.timestamp =
        edit.timestamp == kLatestTimestamp ? commit_timestamp : edit.timestamp;
    cell.kind = edit.kind;
    cell.number = last_;
    cell.value = edit.value;
    family.Apply(cell);
  }
}

std::vector<Cell> NaiveRegion::CellsOf(const std::string& row,
                                       const ReadOptions& options,
                                       Timestamp now) const {
  ReadView view;
  view.now = now;
  view.time_range = options.time_range;
  view.max_versions = options.max_versions;
  std::vector<Cell> cells;
  for (const auto& [name, family] : families_) {
    for (Cell& cell : family.Read(row, view)) {
      if (!Selected(options.columns, name, cell.qualifier)) continue;
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

RowResult NaiveRegion::ReadRow(const Get& get, Timestamp now) const {
  RowResult result;
  result.row = get.row;
  result.cells = CellsOf(get.row, get.options, now);
  return result;
}

std::vector<RowResult> NaiveRegion::ScanRows(const Scan& scan,
                                             Timestamp now) const {
  std::vector<RowResult> results;
  int64_t rows = 0;
  for (const std::string& row : rows_) {
    if (!InScan(scan, row)) continue;
    const std::vector<Cell> cells = CellsOf(row, scan.options, now);
    if (cells.empty()) continue;
    if (scan.row_limit > 0 && rows == scan.row_limit) break;
    ++rows;
    const size_t part = scan.batch_cells > 0
                            ? static_cast<size_t>(scan.batch_cells)
                            : cells.size();
    for (size_t from = 0; from < cells.size(); from += part) {
      const size_t to = std::min(from + part, cells.size());
      RowResult& result = results.emplace_back();
      result.row = row;
      result.cells.assign(cells.begin() + from, cells.begin() + to);
      result.partial = to < cells.size();
    }
  }
  return results;
}

void NaiveRegion::Flush(WriteNumber smallest_pinned, Timestamp now) {
  const RewriteView view{smallest_pinned, now, RewriteScope::kRun};
  for (auto& [name, family] : families_) {
    family.Rewrite({flushed_ + 1, last_}, view);
  }
  flushed_ = last_;
}

void NaiveRegion::Compact(WriteNumber smallest_pinned, Timestamp now) {
  const RewriteView view{smallest_pinned, now, RewriteScope::kFromOldest};
  for (auto& [name, family] : families_) {
    family.Rewrite({WriteNumber{1}, flushed_}, view);
  }
}

}  // namespace shale
