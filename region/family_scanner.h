#ifndef SHALE_REGION_FAMILY_SCANNER_H_
#define SHALE_REGION_FAMILY_SCANNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"
#include "shale/filter/version_resolver.h"
#include "shale/region/region_stores.h"

namespace shale {

// The visible cells of one family, in key order: a merge of its memstores and
// files, judged by a VersionResolver, narrowed to the columns asked for. What
// can't be visible is skipped by seeking where that pays. Not thread-safe.
class FamilyScanner {
 public:
  // `cells` reads from `view`, which is kept for as long as this lives.
  // `qualifiers` is sorted and without doubles; empty means all. Cells from
  // `stop_key` on are not looked at; empty means to the end.
  FamilyScanner(std::shared_ptr<const RegionView> view,
                std::unique_ptr<CellScanner> cells, std::string family,
                const RetentionRules& rules, const ReadView& read,
                std::vector<std::string> qualifiers, std::string stop_key);

  // Moves to the first visible cell at or after an encoded key.
  absl::Status Seek(absl::string_view key);
  // Moves to the next visible cell. REQUIRES: cell() != nullptr.
  absl::Status Next();

  // The current cell, its family filled in; null at the end and after an error.
  // Valid until the next call.
  const CellView* cell() const { return visible_ ? &cell_ : nullptr; }

  // The largest number of the cells that were judged so far, delete markers
  // included: what the answers depend on.
  WriteNumber newest_judged() const { return newest_judged_; }

 private:
  enum class Step { kNext, kNextColumn };

  // Goes on from the cell under cells_ until one is visible.
  absl::Status FindVisible();
  // Judges the cell under cells_: whether it is visible, and how to go on.
  Step Judge(const CellView& cell);
  absl::Status Move(Step step);
  absl::Status SkipTo(absl::string_view key);
  bool IsWanted(const CellView& cell) const;

  const std::shared_ptr<const RegionView> view_;
  const std::unique_ptr<CellScanner> cells_;
  const std::string family_;
  const std::vector<std::string> qualifiers_;
  const std::string stop_key_;
  VersionResolver resolver_;
  WriteNumber newest_judged_;
  bool visible_ = false;
  CellView cell_;
  Step after_ = Step::kNext;  // From a visible cell.
};

}  // namespace shale

#endif  // SHALE_REGION_FAMILY_SCANNER_H_
