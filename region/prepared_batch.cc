#include "shale/region/prepared_batch.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/filter/retention_rules.h"
#include "shale/memstore/memstore_segment.h"
#include "shale/region/batch_checks.h"
#include "shale/region/row_update.h"
#include "shale/wal/record_codec.h"

namespace shale {
namespace {

// How much longer a timestamp may get in a cell list once it is known.
constexpr int64_t kStampBytes = 9;
// First guess at how much longer what is there makes a value and its tags. A
// wrong one costs a second try.
constexpr int64_t kOldBytes = 256;
// More than that can't be reserved, so a guess stops there.
constexpr int64_t kMaxPayload{kMaxPayloadBytes};
// How long a counter is, for its size before it is known.
constexpr absl::string_view kSomeCounter("\0\0\0\0\0\0\0\0", 8);

// An answer UNKNOWN is about what was appended; a read's is about nothing.
absl::Status ReadError(const absl::Status& status) {
  if (!absl::IsUnknown(status)) return status;
  return absl::UnavailableError(
      absl::StrCat("the row was not read: ", status.message()));
}

BatchSize WithRoom(const BatchSize& size, const BatchSize& room) {
  const int64_t payload_bytes =
      std::min(size.payload_bytes + room.payload_bytes, kMaxPayload);
  return {size.memory_bytes + room.memory_bytes,
          std::max(size.payload_bytes, payload_bytes)};
}

bool IsUpdate(const Edit& edit) { return edit.source != ValueSource::kGiven; }

// A result for each mutation, empty.
std::vector<RowResult> NoCells(const MutationBatch& batch) {
  std::vector<RowResult> rows(batch.mutations.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].row = batch.mutations[i].row();
  }
  return rows;
}

void KeepLastOfEachColumn(RowResult& row) {
  // The last one of a column first: the others go.
  std::reverse(row.cells.begin(), row.cells.end());
  const auto column = [](const Cell& cell) {
    return std::tie(cell.family, cell.qualifier);
  };
  std::stable_sort(
      row.cells.begin(), row.cells.end(),
      [&](const Cell& a, const Cell& b) { return column(a) < column(b); });
  row.cells.erase(std::unique(row.cells.begin(), row.cells.end(),
                              [&](const Cell& a, const Cell& b) {
                                return column(a) == column(b);
                              }),
                  row.cells.end());
}

}  // namespace

PreparedBatch::PreparedBatch(const RegionSchema& schema,
                             const RegionOptions& options, MutationBatch batch,
                             Timestamp now)
    : schema_(schema), options_(options), batch_(std::move(batch)) {
  const absl::Status of_batch = CheckBatch(schema, batch_);
  for (const RowMutation& mutation : batch_.mutations) {
    statuses_.push_back(of_batch.ok()
                            ? CheckMutation(schema, options, mutation, now)
                            : of_batch);
  }
  AbortIfRefused();
  reads_ = batch_.check.has_value();
  for (size_t i = 0; i < batch_.mutations.size(); ++i) {
    if (!statuses_[i].ok()) continue;
    const RowMutation& mutation = batch_.mutations[i];
    rows_.push_back(mutation.row());
    reads_ |= absl::c_any_of(mutation.edits(), IsUpdate);
    for (const Edit& edit : mutation.edits()) {
      AddEdit(mutation, edit);
    }
  }
  if (reads_) checked_ = statuses_;
}

void PreparedBatch::AbortIfRefused() {
  const auto is_refused = [](const absl::Status& s) { return !s.ok(); };
  if (!batch_.atomic || absl::c_none_of(statuses_, is_refused)) return;
  for (absl::Status& status : statuses_) {
    if (!status.ok()) continue;
    status = absl::AbortedError("another mutation of the batch was refused");
  }
  ForgetCells();
}

void PreparedBatch::ForgetCells() {
  TruncateCells(0, 0);
  pending_.clear();
  made_.clear();
  family_bits_ = 0;
  new_cells_.clear();
}

void PreparedBatch::TruncateCells(size_t cells, int64_t numbers) {
  for (; indexed_ > cells; --indexed_) {
    pending_[PendingKeyOf(cells_[indexed_ - 1])].pop_back();
  }
  cells_.resize(cells);
  numbers_ = numbers;
}

void PreparedBatch::AddEdit(const RowMutation& mutation, const Edit& edit) {
  ++numbers_;
  const bool is_latest = edit.timestamp == kLatestTimestamp;
  CellView cell;
  cell.row = mutation.row();
  cell.qualifier = edit.qualifier;
  cell.timestamp = is_latest ? timestamp_ : edit.timestamp;
  cell.kind = edit.kind;
  cell.value =
      edit.source == ValueSource::kIncrement ? kSomeCounter : edit.value;
  cell.tags = edit.tags;
  for (size_t id = 0; id < schema_.families.size(); ++id) {
    if (edit.all_families || schema_.families[id].name == edit.family) {
      AddCell(id, cell, is_latest);
    }
  }
}

void PreparedBatch::AddCell(size_t family, CellView cell,
                            bool takes_commit_timestamp) {
  cell.family = schema_.families[family].name;
  cell.number = WriteNumber{static_cast<uint64_t>(numbers_)};
  family_bits_ |= uint64_t{1} << std::min<size_t>(family, 63);
  cells_.push_back({family, cell, takes_commit_timestamp});
}

BatchSize PreparedBatch::size() const {
  BatchSize size;
  std::vector<CellView> views;
  views.reserve(cells_.size());
  for (const PlacedCell& placed : cells_) {
    size.memory_bytes +=
        static_cast<int64_t>(MemstoreSegment::CellBytes(placed.cell));
    views.push_back(placed.cell);
  }
  size.payload_bytes =
      static_cast<int64_t>(CellListBytes(views, WriteNumber{1})) +
      kStampBytes * static_cast<int64_t>(views.size());
  return size;
}

BatchSize PreparedBatch::reservation() const {
  if (!reads_) return size();
  int64_t updates = 0;
  for (const RowMutation& mutation : batch_.mutations) {
    updates += absl::c_count_if(mutation.edits(), IsUpdate);
  }
  return WithRoom(size(), {updates * kOldBytes, updates * kOldBytes});
}

BatchSize PreparedBatch::larger_reservation() const {
  const BatchSize size = this->size();
  return WithRoom(size, {size.memory_bytes / 4, size.payload_bytes / 4});
}

void PreparedBatch::BeginResolve(Timestamp now) {
  ForgetCells();
  statuses_ = checked_;
  newest_read_ = kNoWriteNumber;
  timestamp_ = kMinTimestamp;
  has_commit_timestamp_ = false;
  now_ = now;
  next_ = Place();
  checked_row_ = !batch_.check.has_value();
  matched_ = true;
}

absl::StatusOr<PreparedBatch::Resolution> PreparedBatch::Resolve(
    const RegionReader& reader, ReadDepth depth) {
  absl::StatusOr<Resolution> resolution = MakeCells(reader, depth);
  if (!resolution.ok()) return ReadError(resolution.status());
  return resolution;
}

absl::StatusOr<PreparedBatch::Resolution> PreparedBatch::MakeCells(
    const RegionReader& reader, ReadDepth depth) {
  if (!checked_row_) {
    SHALE_ASSIGN_OR_RETURN(const Lack lack, CheckHolds(reader, depth));
    if (lack.has_value()) return *lack;
    checked_row_ = true;
  }
  if (!matched_) return Resolution::kNothing;
  while (!resolved()) {
    if (statuses_[next_.mutation].ok()) {
      SHALE_ASSIGN_OR_RETURN(const Lack lack, AddMutation(reader, depth));
      if (lack.has_value()) return *lack;
    }
    next_ = {next_.mutation + 1, 0, cells_.size(), numbers_};
  }
  AbortIfRefused();
  return cells_.empty() ? Resolution::kNothing : Resolution::kWrite;
}

absl::StatusOr<PreparedBatch::Lack> PreparedBatch::CheckHolds(
    const RegionReader& reader, ReadDepth depth) {
  for (const ColumnCondition& condition : batch_.check->conditions) {
    SHALE_ASSIGN_OR_RETURN(
        const std::optional<NewestCell> newest,
        reader.ReadNewest(
            {batch_.check->row, *FindFamily(schema_, condition.family),
             condition.qualifier, condition.time_range},
            {}, now_, depth));
    if (!newest.has_value()) return Resolution::kNeedFiles;
    newest_read_ = std::max(newest_read_, newest->newest_read);
    if (!Holds(condition, newest->cell)) matched_ = false;
    if (newest->cell.has_value()) {
      timestamp_ = std::max(timestamp_, newest->cell->timestamp);
    }
  }
  return std::nullopt;
}

absl::StatusOr<PreparedBatch::Lack> PreparedBatch::AddMutation(
    const RegionReader& reader, ReadDepth depth) {
  const RowMutation& mutation = batch_.mutations[next_.mutation];
  for (; next_.edit < mutation.edits().size(); ++next_.edit) {
    const Edit& edit = mutation.edits()[next_.edit];
    if (!IsUpdate(edit)) {
      AddEdit(mutation, edit);
      continue;
    }
    SHALE_ASSIGN_OR_RETURN(const Lack lack, AddUpdate(edit, reader, depth));
    if (lack.has_value()) return lack;
    if (!statuses_[next_.mutation].ok()) {
      // All of a mutation or nothing.
      TruncateCells(next_.cells, next_.numbers);
      break;
    }
  }
  return std::nullopt;
}

absl::StatusOr<PreparedBatch::Lack> PreparedBatch::AddUpdate(
    const Edit& edit, const RegionReader& reader, ReadDepth depth) {
  const size_t mutation = next_.mutation;
  const std::string& row = batch_.mutations[mutation].row();
  const size_t family = *FindFamily(schema_, edit.family);
  const std::vector<PlacedCell> pending =
      PendingOf(family, row, edit.qualifier);
  // What these hide depends on their timestamps.
  if (!pending.empty() && !has_commit_timestamp_) {
    return Resolution::kNeedTimestamp;
  }
  SHALE_ASSIGN_OR_RETURN(
      std::optional<NewestCell> newest,
      reader.ReadNewest({row, family, edit.qualifier, edit.old_range}, pending,
                        now_, depth));
  if (!newest.has_value()) return Resolution::kNeedFiles;
  newest_read_ = std::max(newest_read_, newest->newest_read);
  ExceedMarkers(family, pending);
  absl::StatusOr<std::optional<UpdatedCell>> updated =
      UpdateCell(edit, newest->cell, newest->pending, timestamp_);
  if (updated.ok() && updated->has_value()) {
    const absl::Status fits = CheckCellBytes(
        options_, row, edit, (*updated)->value, (*updated)->tags);
    if (!fits.ok()) updated = fits;
  }
  if (!updated.ok()) {
    statuses_[mutation] = updated.status();
    return std::nullopt;
  }
  if (!updated->has_value()) {
    if (notes_new_cells() && newest->cell.has_value()) {
      new_cells_.push_back({mutation, 0, std::move(newest->cell)});
    }
    return std::nullopt;
  }
  ++numbers_;
  CellView cell;
  cell.row = row;
  cell.qualifier = edit.qualifier;
  cell.timestamp = (*updated)->timestamp;
  cell.value = made_.emplace_back(std::move((*updated)->value));
  cell.tags = made_.emplace_back(std::move((*updated)->tags));
  AddCell(family, cell, true);
  if (notes_new_cells()) {
    new_cells_.push_back({mutation, cells_.size() - 1, std::nullopt});
  }
  return std::nullopt;
}

std::vector<PlacedCell> PreparedBatch::PendingOf(size_t family,
                                                 absl::string_view row,
                                                 absl::string_view qualifier) {
  // Only now, as most batches never ask.
  for (; indexed_ < cells_.size(); ++indexed_) {
    pending_[PendingKeyOf(cells_[indexed_])].push_back(indexed_);
  }
  std::vector<PlacedCell> pending;
  for (const PendingKey& key : {PendingKey(family, row, qualifier, false),
                                PendingKey(family, row, "", true)}) {
    const auto found = pending_.find(key);
    if (found == pending_.end()) continue;
    for (const size_t place : found->second) pending.push_back(cells_[place]);
  }
  return pending;
}

PreparedBatch::PendingKey PreparedBatch::PendingKeyOf(
    const PlacedCell& placed) {
  const CellView& cell = placed.cell;
  const bool of_family = IsFamilyDelete(cell.kind);
  return {placed.family, cell.row, of_family ? "" : cell.qualifier, of_family};
}

void PreparedBatch::ExceedMarkers(size_t family,
                                  absl::Span<const PlacedCell> pending) {
  if (schema_.families[family].retention.delete_rule !=
      DeleteRule::kTimestamp) {
    return;
  }
  const auto masks = [this](const PlacedCell& placed) {
    return IsDelete(placed.cell.kind) && placed.cell.timestamp == timestamp_;
  };
  while (timestamp_ < kMaxTimestamp - 1 && absl::c_any_of(pending, masks)) {
    if (commit_timestamp_ == timestamp_) ++commit_timestamp_;
    ++timestamp_;
  }
}

void PreparedBatch::SetCommitTimestamp(Timestamp commit_timestamp) {
  has_commit_timestamp_ = true;
  commit_timestamp_ = commit_timestamp;
  timestamp_ = std::max(timestamp_, commit_timestamp);
  for (PlacedCell& placed : cells_) {
    if (!placed.takes_commit_timestamp) continue;
    placed.cell.timestamp = std::max(placed.cell.timestamp, timestamp_);
  }
}

std::string PreparedBatch::Payload() const {
  std::vector<CellView> views;
  views.reserve(cells_.size());
  for (const PlacedCell& placed : cells_) views.push_back(placed.cell);
  std::string payload;
  AppendCellList(views, WriteNumber{1}, &payload);
  return payload;
}

void PreparedBatch::Number(WriteRange range) {
  for (PlacedCell& placed : cells_) {
    placed.cell.number = range.first + (placed.cell.number.value - 1);
  }
}

ApplyResult PreparedBatch::Result(const absl::Status& status) const {
  ApplyResult result;
  // With an error it tells nothing of what was read.
  result.statuses = reads_ && !status.ok() ? checked_ : statuses_;
  if (status.ok()) result.matched = matched_;
  for (absl::Status& of_mutation : result.statuses) {
    if (of_mutation.ok()) of_mutation = status;
  }
  if (batch_.want_results) {
    result.rows = NewCells();
    for (size_t i = 0; i < result.rows.size(); ++i) {
      if (!result.statuses[i].ok()) result.rows[i].cells.clear();
    }
  }
  return result;
}

std::vector<RowResult> PreparedBatch::NewCells() const {
  std::vector<RowResult> rows = NoCells(batch_);
  for (const NewCell& new_cell : new_cells_) {
    if (!statuses_[new_cell.mutation].ok()) continue;
    rows[new_cell.mutation].cells.push_back(
        new_cell.stored.has_value() ? *new_cell.stored
                                    : Cell(cells_[new_cell.place].cell));
  }
  for (RowResult& row : rows) KeepLastOfEachColumn(row);
  return rows;
}

absl::StatusOr<ApplyResult> PreparedBatch::ResultAsBefore(
    const NonceOutcome& outcome, const RegionReader& reader) const {
  ApplyResult result = Result(absl::OkStatus());
  result.commit_timestamp = outcome.commit_timestamp;
  result.range = outcome.range;
  if (!batch_.want_results) return result;
  if (outcome.rows != nullptr) {
    result.rows = *outcome.rows;
    return result;
  }
  absl::StatusOr<std::vector<RowResult>> rows =
      ReadNewCells(outcome.range, reader);
  if (!rows.ok()) {
    return absl::UnknownError(absl::StrCat("applied before, and not read: ",
                                           rows.status().message()));
  }
  result.rows = *std::move(rows);
  return result;
}

absl::StatusOr<std::vector<RowResult>> PreparedBatch::ReadNewCells(
    WriteRange range, const RegionReader& reader) const {
  std::vector<RowResult> rows = NoCells(batch_);
  WriteNumber number = range.first;
  for (RowResult& row : rows) {
    const size_t mutation = static_cast<size_t>(&row - rows.data());
    for (const Edit& edit : batch_.mutations[mutation].edits()) {
      if (edit.source == ValueSource::kIncrement && edit.delta == 0) continue;
      const WriteNumber written = number;
      number = number + 1;
      if (!IsUpdate(edit)) continue;
      Get get{row.row, {}};
      get.options.columns = {{edit.family, {edit.qualifier}}};
      SHALE_ASSIGN_OR_RETURN(RowResult found, reader.ReadAt(get, written));
      if (found.empty() || found.cells[0].number != written) continue;
      row.cells.push_back(std::move(found.cells[0]));
    }
    KeepLastOfEachColumn(row);
  }
  return rows;
}

}  // namespace shale
