#include "shale/region/region_scanner.h"

#include <utility>

#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"
#include "shale/region/family_scanner.h"

namespace shale {

RegionScanner::RegionScanner(
    ReadPin pin, Scan scan,
    std::vector<std::unique_ptr<FamilyScanner>> families)
    : pin_(std::move(pin)),
      scan_(std::move(scan)),
      families_(std::move(families)) {}

RegionScanner::~RegionScanner() = default;

absl::StatusOr<std::optional<RowResult>> RegionScanner::Next() {
  SHALE_RETURN_IF_ERROR(status_);
  absl::StatusOr<std::optional<RowResult>> result = NextOrError();
  status_ = result.status();
  return result;
}

absl::StatusOr<std::optional<RowResult>> RegionScanner::NextOrError() {
  if (!started_) SHALE_RETURN_IF_ERROR(Start());
  std::optional<std::string> row = CurrentRow();
  if (!row.has_value()) return std::nullopt;
  if (unfinished_row_ != row) {
    if (scan_.row_limit > 0 && rows_ == scan_.row_limit) return std::nullopt;
    ++rows_;
  }
  RowResult result;
  result.row = *std::move(row);
  SHALE_RETURN_IF_ERROR(Fill(&result));
  unfinished_row_.reset();
  if (CurrentRow() == result.row) {
    result.partial = true;
    unfinished_row_ = result.row;
  }
  return result;
}

absl::Status RegionScanner::Start() {
  started_ = true;
  const std::string first = scan_.include_start
                                ? FirstKeyOfRow(scan_.start_row)
                                : FirstKeyAfterRow(scan_.start_row);
  for (const std::unique_ptr<FamilyScanner>& family : families_) {
    SHALE_RETURN_IF_ERROR(family->Seek(first));
  }
  return absl::OkStatus();
}

std::optional<std::string> RegionScanner::CurrentRow() const {
  std::optional<absl::string_view> row;
  for (const std::unique_ptr<FamilyScanner>& family : families_) {
    const CellView* const cell = family->cell();
    if (cell != nullptr && (!row.has_value() || cell->row < *row)) {
      row = cell->row;
    }
  }
  if (!row.has_value()) return std::nullopt;
  return std::string(*row);
}

absl::Status RegionScanner::Fill(RowResult* result) {
  const size_t limit = static_cast<size_t>(scan_.batch_cells);
  for (const std::unique_ptr<FamilyScanner>& family : families_) {
    while (family->cell() != nullptr && family->cell()->row == result->row) {
      if (limit > 0 && result->cells.size() == limit) return absl::OkStatus();
      result->cells.emplace_back(*family->cell());
      SHALE_RETURN_IF_ERROR(family->Next());
    }
  }
  return absl::OkStatus();
}

}  // namespace shale
