#include "shale/region/testing/naive_region.h"

#include <algorithm>
#include <tuple>
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

// Whether a mutation that was judged good may be refused for what it finds.
bool MayBeRefused(const RowMutation& mutation) {
  return std::any_of(
      mutation.edits().begin(), mutation.edits().end(),
      [](const Edit& edit) { return edit.source != ValueSource::kGiven; });
}

}  // namespace

NaiveRegion::NaiveRegion(const RegionSchema& schema,
                         const RegionOptions& options)
    : schema_(schema), options_(options) {
  for (const ColumnFamilyOptions& family : schema.families) {
    state_.families.emplace(family.name, NaiveFamily(family.retention));
  }
}

NaiveAnswer NaiveRegion::Apply(const MutationBatch& batch,
                               Timestamp commit_timestamp, Timestamp now) {
  NaiveAnswer answer;
  state_.markers.clear();
  // Copies are most of the twin's work, so only of what may be taken back.
  std::optional<State> before;
  if (batch.atomic && std::any_of(batch.mutations.begin(),
                                  batch.mutations.end(), MayBeRefused)) {
    before = state_;
  }
  const WriteNumber last_before = state_.last;
  for (const RowMutation& mutation : batch.mutations) {
    answer.codes.push_back(Judge(mutation));
    if (batch.want_results) answer.rows.emplace_back().row = mutation.row();
  }
  const auto is_ok = [](absl::StatusCode c) {
    return c == absl::StatusCode::kOk;
  };
  const auto all_ok = [&] {
    return std::all_of(answer.codes.begin(), answer.codes.end(), is_ok);
  };
  Timestamp timestamp = commit_timestamp;
  if (batch.check.has_value() && all_ok()) {
    answer.matched = CheckHolds(*batch.check, now, timestamp);
  }
  if (!answer.matched) return answer;
  const bool none = batch.atomic && !all_ok();
  for (size_t i = 0; i < answer.codes.size(); ++i) {
    if (none || !is_ok(answer.codes[i])) continue;
    const RowMutation& mutation = batch.mutations[i];
    std::optional<State> before_mutation;
    if (MayBeRefused(mutation)) before_mutation = state_;
    RowResult result;
    result.row = mutation.row();
    answer.codes[i] =
        ApplyMutation(mutation, timestamp, now, last_before, result);
    if (!is_ok(answer.codes[i])) {
      state_ = *std::move(before_mutation);
    } else if (batch.want_results) {
      answer.rows[i] = result;
    }
  }
  if (!all_ok() && batch.atomic) {
    std::replace(answer.codes.begin(), answer.codes.end(),
                 absl::StatusCode::kOk, absl::StatusCode::kAborted);
    for (RowResult& row : answer.rows) row.cells.clear();
    if (before.has_value()) state_ = *std::move(before);
  }
  return answer;
}

bool NaiveRegion::CheckHolds(const RowCheck& check, Timestamp now,
                             Timestamp& timestamp) const {
  bool holds = true;
  for (const ColumnCondition& condition : check.conditions) {
    const std::optional<Cell> cell =
        Newest(check.row, condition.family, condition.qualifier,
               condition.time_range, now);
    const std::string stored = cell.has_value() ? cell->value : "";
    const std::string& given = condition.value;
    switch (condition.comparison) {
      case Comparison::kEqual:
        holds &= given == stored;
        break;
      case Comparison::kNotEqual:
        holds &= given != stored;
        break;
      case Comparison::kLess:
        holds &= given < stored;
        break;
      case Comparison::kLessOrEqual:
        holds &= given <= stored;
        break;
      case Comparison::kGreater:
        holds &= given > stored;
        break;
      case Comparison::kGreaterOrEqual:
        holds &= given >= stored;
        break;
      case Comparison::kNotExists:
        holds &= !cell.has_value();
        break;
    }
    if (cell.has_value()) timestamp = std::max(timestamp, cell->timestamp);
  }
  return holds;
}

absl::StatusCode NaiveRegion::ApplyMutation(const RowMutation& mutation,
                                            Timestamp& timestamp, Timestamp now,
                                            WriteNumber before_batch,
                                            RowResult& result) {
  for (const Edit& edit : mutation.edits()) {
    if (edit.source == ValueSource::kGiven) {
      ApplyEdit(mutation.row(), edit,
                edit.timestamp == kLatestTimestamp ? timestamp : edit.timestamp,
                edit.value);
      continue;
    }
    const absl::StatusCode code =
        ApplyUpdate(mutation, edit, timestamp, now, before_batch, result);
    if (code != absl::StatusCode::kOk) return code;
  }
  std::sort(result.cells.begin(), result.cells.end(),
            [](const Cell& a, const Cell& b) {
              return std::tie(a.family, a.qualifier) <
                     std::tie(b.family, b.qualifier);
            });
  return absl::StatusCode::kOk;
}

absl::StatusCode NaiveRegion::ApplyUpdate(const RowMutation& mutation,
                                          const Edit& edit,
                                          Timestamp& of_commit, Timestamp now,
                                          WriteNumber before_batch,
                                          RowResult& result) {
  const std::string& row = mutation.row();
  std::optional<Cell> cell =
      Newest(row, edit.family, edit.qualifier, edit.old_range, now);
  while (HiddenByBatch(row, edit, of_commit)) ++of_commit;
  Timestamp timestamp = of_commit;
  std::string value = cell.has_value() ? cell->value : "";
  if (edit.source == ValueSource::kAppend) {
    value += edit.value;
  } else {
    if (!cell.has_value()) value.assign(8, '\0');
    if (value.size() != 8) return absl::StatusCode::kInvalidArgument;
    // Adds digit by digit, to base 256.
    uint64_t carry = static_cast<uint64_t>(edit.delta);
    for (int i = 7; i >= 0; --i) {
      const uint64_t digit =
          static_cast<unsigned char>(value[i]) + (carry & 0xff);
      value[i] = static_cast<char>(digit & 0xff);
      carry = (carry >> 8) + (digit >> 8);
    }
  }
  if (edit.source != ValueSource::kIncrement || edit.delta != 0) {
    if (row.size() + edit.qualifier.size() + kCellKeySuffixBytes +
            value.size() >
        options_.max_cell_bytes) {
      return absl::StatusCode::kInvalidArgument;
    }
    if (cell.has_value()) {
      const bool same_commit = cell->number > before_batch;
      timestamp = std::max(timestamp, cell->timestamp + (same_commit ? 0 : 1));
    }
    ApplyEdit(row, edit, timestamp, value);
    cell.emplace();
    cell->row = row;
    cell->family = edit.family;
    cell->qualifier = edit.qualifier;
    cell->timestamp = timestamp;
    cell->value = value;
  }
  if (!cell.has_value()) return absl::StatusCode::kOk;
  std::vector<Cell>& cells = result.cells;
  cells.erase(std::remove_if(cells.begin(), cells.end(),
                             [&](const Cell& c) {
                               return c.family == edit.family &&
                                      c.qualifier == edit.qualifier;
                             }),
              cells.end());
  cells.push_back(*std::move(cell));
  return absl::StatusCode::kOk;
}

bool NaiveRegion::HiddenByBatch(const std::string& row, const Edit& edit,
                                Timestamp timestamp) const {
  for (const ColumnFamilyOptions& family : schema_.families) {
    if (family.name == edit.family &&
        family.retention.delete_rule != DeleteRule::kTimestamp) {
      return false;
    }
  }
  return std::any_of(
      state_.markers.begin(), state_.markers.end(), [&](const Cell& marker) {
        return marker.row == row && marker.family == edit.family &&
               marker.timestamp == timestamp &&
               (IsFamilyDelete(marker.kind) ||
                marker.qualifier == edit.qualifier);
      });
}

std::optional<Cell> NaiveRegion::Newest(const std::string& row,
                                        const std::string& family,
                                        const std::string& qualifier,
                                        TimeRange range, Timestamp now) const {
  ReadView view;
  view.now = now;
  view.time_range = range;
  for (Cell& cell : state_.families.at(family).Read(row, view)) {
    if (cell.qualifier == qualifier) return std::move(cell);
  }
  return std::nullopt;
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
  if (!edit.all_families && state_.families.count(edit.family) == 0) {
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
                            Timestamp timestamp, const std::string& value) {
  state_.last = state_.last + 1;
  state_.rows.insert(row);
  for (auto& [name, family] : state_.families) {
    if (!edit.all_families && name != edit.family) continue;
    Cell cell;
    cell.row = row;
    cell.family = name;
    cell.qualifier = edit.qualifier;
    cell.timestamp = timestamp;
    cell.kind = edit.kind;
    cell.number = state_.last;
    cell.value = value;
    family.Apply(cell);
    if (IsDelete(cell.kind)) state_.markers.push_back(cell);
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
  for (const auto& [name, family] : state_.families) {
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
  for (const std::string& row : state_.rows) {
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
  for (auto& [name, family] : state_.families) {
    family.Rewrite({flushed_ + 1, state_.last}, view);
  }
  flushed_ = state_.last;
}

void NaiveRegion::Compact(WriteNumber smallest_pinned, Timestamp now) {
  const RewriteView view{smallest_pinned, now, RewriteScope::kFromOldest};
  for (auto& [name, family] : state_.families) {
    family.Rewrite({WriteNumber{1}, flushed_}, view);
  }
}

}  // namespace shale
