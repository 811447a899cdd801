#include "shale/region/family_scanner.h"

#include <algorithm>
#include <utility>

#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

// A seek goes down every index of the merge; so many steps cost about as much.
constexpr int kStepsBeforeSeek = 8;

}  // namespace

FamilyScanner::FamilyScanner(std::shared_ptr<const RegionView> view,
                             std::unique_ptr<CellScanner> cells,
                             std::string family, const RetentionRules& rules,
                             const ReadView& read,
                             std::vector<std::string> qualifiers,
                             std::string stop_key)
    : view_(std::move(view)),
      cells_(std::move(cells)),
      family_(std::move(family)),
      qualifiers_(std::move(qualifiers)),
      stop_key_(std::move(stop_key)),
      resolver_(rules, read) {}

absl::Status FamilyScanner::Seek(absl::string_view key) {
  visible_ = false;
  SHALE_RETURN_IF_ERROR(cells_->Seek(key));
  return FindVisible();
}

absl::Status FamilyScanner::Next() {
  visible_ = false;
  SHALE_RETURN_IF_ERROR(Move(after_));
  return FindVisible();
}

absl::Status FamilyScanner::FindVisible() {
  while (cells_->cell() != nullptr) {
    if (!stop_key_.empty() && CompareCellKeys(cells_->key(), stop_key_) >= 0) {
      return absl::OkStatus();
    }
    const Step step = Judge(*cells_->cell());
    if (visible_) {
      cell_ = *cells_->cell();
      cell_.family = family_;
      after_ = step;
      return absl::OkStatus();
    }
    SHALE_RETURN_IF_ERROR(Move(step));
  }
  return absl::OkStatus();
}

FamilyScanner::Step FamilyScanner::Judge(const CellView& cell) {
  // Family deletes lie among the cells without a qualifier, so that column is
  // walked to its end, wanted or not: they say what is visible in the others.
  const bool holds_family_deletes = cell.qualifier.empty();
  if (!IsWanted(cell) && !IsFamilyDelete(cell.kind)) {
    return holds_family_deletes ? Step::kNext : Step::kNextColumn;
  }
  newest_judged_ = std::max(newest_judged_, cell.number);
  switch (resolver_.Offer(cell)) {
    case VersionResolver::Verdict::kInclude:
      visible_ = true;
      return Step::kNext;
    case VersionResolver::Verdict::kIncludeAndNextColumn:
      visible_ = true;
      break;
    case VersionResolver::Verdict::kSkip:
      return Step::kNext;
    case VersionResolver::Verdict::kNextColumn:
      break;
  }
  return holds_family_deletes ? Step::kNext : Step::kNextColumn;
}

absl::Status FamilyScanner::Move(Step step) {
  if (step == Step::kNext) return cells_->Next();
  const CellView& cell = *cells_->cell();
  if (qualifiers_.empty()) {
    return SkipTo(FirstKeyAfterColumn(cell.row, cell.qualifier));
  }
  const auto wanted =
      std::upper_bound(qualifiers_.begin(), qualifiers_.end(), cell.qualifier);
  return SkipTo(wanted == qualifiers_.end()
                    ? FirstKeyAfterRow(cell.row)
                    : FirstKeyOfColumn(cell.row, *wanted));
}

absl::Status FamilyScanner::SkipTo(absl::string_view key) {
  for (int i = 0; i < kStepsBeforeSeek; ++i) {
    SHALE_RETURN_IF_ERROR(cells_->Next());
    if (cells_->cell() == nullptr || CompareCellKeys(cells_->key(), key) >= 0) {
      return absl::OkStatus();
    }
  }
  return cells_->Seek(key);
}

bool FamilyScanner::IsWanted(const CellView& cell) const {
  return qualifiers_.empty() ||
         std::binary_search(qualifiers_.begin(), qualifiers_.end(),
                            cell.qualifier);
}

}  // namespace shale
