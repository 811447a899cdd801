#include "shale/region/prepared_batch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/memstore/memstore_segment.h"
#include "shale/region/column_family.h"

namespace shale {
namespace {

// How much longer a timestamp may get in a cell list once it is known.
constexpr int64_t kStampBytes = 9;

std::optional<size_t> FamilyId(const RegionSchema& schema,
                               absl::string_view name) {
  for (size_t id = 0; id < schema.families.size(); ++id) {
    if (schema.families[id].name == name) return id;
  }
  return std::nullopt;
}

bool IsInRange(const RegionSchema& schema, absl::string_view row) {
  return row >= schema.start_row &&
         (schema.end_row.empty() || row < schema.end_row);
}

}  // namespace

PreparedBatch::PreparedBatch(const RegionSchema& schema,
                             const RegionOptions& options, MutationBatch batch,
                             Timestamp now)
    : schema_(schema), options_(options), batch_(std::move(batch)) {
  bool refused = false;
  for (const RowMutation& mutation : batch_.mutations) {
    statuses_.push_back(Check(mutation, now));
    refused |= !statuses_.back().ok();
  }
  if (refused && batch_.atomic) {
    for (absl::Status& status : statuses_) {
      if (!status.ok()) continue;
      status = absl::AbortedError("another mutation of the batch was refused");
    }
    return;
  }
  for (size_t i = 0; i < batch_.mutations.size(); ++i) {
    if (statuses_[i].ok()) AddCells(batch_.mutations[i]);
  }
  std::vector<CellView> views;
  views.reserve(cells_.size());
  for (const PlacedCell& placed : cells_) views.push_back(placed.cell);
  payload_bytes_limit_ =
      static_cast<int64_t>(CellListBytes(views, WriteNumber{1})) +
      kStampBytes * static_cast<int64_t>(views.size());
}

absl::Status PreparedBatch::Check(const RowMutation& mutation,
                                  Timestamp now) const {
  if (!IsDurability(batch_.durability)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown durability ", static_cast<int>(batch_.durability)));
  }
  const std::string& row = mutation.row();
  if (row.empty()) return absl::InvalidArgumentError("the row is empty");
  if (row.size() > kMaxRowBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the row has ", row.size(), " bytes, at most ", kMaxRowBytes));
  }
  if (!IsInRange(schema_, row)) {
    return absl::OutOfRangeError(
        absl::StrCat("row ", EscapeBytes(row), " is not in region ",
                     schema_.name, " [", EscapeBytes(schema_.start_row), ", ",
                     EscapeBytes(schema_.end_row), ")"));
  }
  if (mutation.edits().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("row ", EscapeBytes(row), ": nothing to change"));
  }
  for (const Edit& edit : mutation.edits()) {
    absl::Status status = CheckEdit(mutation, edit, now);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status PreparedBatch::CheckEdit(const RowMutation& mutation,
                                      const Edit& edit, Timestamp now) const {
  if (!edit.all_families && !FamilyId(schema_, edit.family).has_value()) {
    return absl::NotFoundError(absl::StrCat("region ", schema_.name,
                                            " has no column family '",
                                            EscapeBytes(edit.family), "'"));
  }
  if (edit.qualifier.size() > kMaxQualifierBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the qualifier has ", edit.qualifier.size(),
                     " bytes, at most ", kMaxQualifierBytes));
  }
  if (edit.timestamp < kMinTimestamp) {
    return absl::InvalidArgumentError(
        absl::StrCat("timestamp ", edit.timestamp, " is negative"));
  }
  if (edit.timestamp == kLatestTimestamp) {
    if (edit.kind == CellKind::kDelete ||
        edit.kind == CellKind::kDeleteFamilyVersion) {
      return absl::InvalidArgumentError(
          "the delete of one version needs its timestamp");
    }
  } else if (options_.timestamp_slop != absl::InfiniteDuration() &&
             edit.timestamp - now >
                 absl::ToInt64Microseconds(options_.timestamp_slop)) {
    return absl::InvalidArgumentError(
        absl::StrCat("timestamp ", edit.timestamp, " is ", edit.timestamp - now,
                     " us ahead of the clock, at most ",
                     absl::ToInt64Microseconds(options_.timestamp_slop)));
  }
  const size_t bytes = mutation.row().size() + edit.qualifier.size() +
                       edit.value.size() + kCellKeySuffixBytes;
  if (bytes > options_.max_cell_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("row ", EscapeBytes(mutation.row()), ": a cell of ", bytes,
                     " bytes, at most ", options_.max_cell_bytes));
  }
  return absl::OkStatus();
}

void PreparedBatch::AddCells(const RowMutation& mutation) {
  rows_.push_back(mutation.row());
  for (const Edit& edit : mutation.edits()) {
    ++numbers_;
    for (size_t id = 0; id < schema_.families.size(); ++id) {
      const std::string& family = schema_.families[id].name;
      if (!edit.all_families && family != edit.family) continue;
      CellView cell;
      cell.row = mutation.row();
      cell.family = family;
      cell.qualifier = edit.qualifier;
      cell.timestamp = edit.timestamp;
      cell.kind = edit.kind;
      cell.number = WriteNumber{static_cast<uint64_t>(numbers_)};
      cell.value = edit.value;
      memory_bytes_ += static_cast<int64_t>(MemstoreSegment::CellBytes(cell));
      family_bits_ |= uint64_t{1} << std::min<size_t>(id, 63);
      cells_.push_back({id, cell});
    }
  }
}

std::string PreparedBatch::Stamp(Timestamp commit_timestamp) {
  std::vector<CellView> views;
  views.reserve(cells_.size());
  for (PlacedCell& placed : cells_) {
    if (placed.cell.timestamp == kLatestTimestamp) {
      placed.cell.timestamp = commit_timestamp;
    }
    views.push_back(placed.cell);
  }
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
  result.statuses = statuses_;
  for (absl::Status& of_mutation : result.statuses) {
    if (of_mutation.ok()) of_mutation = status;
  }
  return result;
}

}  // namespace shale
