#ifndef SHALE_REGION_ROW_MUTATION_H_
#define SHALE_REGION_ROW_MUTATION_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/timestamp.h"

namespace shale {

// One change to one row, as the caller states it.
struct Edit {
  CellKind kind = CellKind::kPut;
  // A delete of the whole row: a family delete in each family of the region.
  bool all_families = false;
  std::string family;
  std::string qualifier;
  // kLatestTimestamp: the commit timestamp, given when the row is locked.
  Timestamp timestamp = kLatestTimestamp;
  std::string value;
};

// Changes to one row, applied all at once and in the order given: each is a
// write of its own in the region's order, so under the delete rule `sequence`
// [delete the row, put a cell] leaves the cell and [put, delete] does not.
class RowMutation {
 public:
  explicit RowMutation(absl::string_view row) : row_(row) {}

  RowMutation& Put(absl::string_view family, absl::string_view qualifier,
                   absl::string_view value,
                   Timestamp timestamp = kLatestTimestamp) {
    return Add(CellKind::kPut, family, qualifier, timestamp, value);
  }
  // Exactly one version. Without a timestamp there is nothing to name: see
  // DeleteColumn.
  RowMutation& DeleteVersion(absl::string_view family,
                             absl::string_view qualifier, Timestamp timestamp) {
    return Add(CellKind::kDelete, family, qualifier, timestamp, "");
  }
  // All versions of a column up to and including `timestamp`.
  RowMutation& DeleteColumn(absl::string_view family,
                            absl::string_view qualifier,
                            Timestamp timestamp = kLatestTimestamp) {
    return Add(CellKind::kDeleteColumn, family, qualifier, timestamp, "");
  }
  // All columns of a family, up to `timestamp` or at exactly `timestamp`.
  RowMutation& DeleteFamily(absl::string_view family,
                            Timestamp timestamp = kLatestTimestamp) {
    return Add(CellKind::kDeleteFamily, family, "", timestamp, "");
  }
  RowMutation& DeleteFamilyVersion(absl::string_view family,
                                   Timestamp timestamp) {
    return Add(CellKind::kDeleteFamilyVersion, family, "", timestamp, "");
  }
  // All families, up to and including `timestamp`.
  RowMutation& DeleteRow(Timestamp timestamp = kLatestTimestamp) {
    Add(CellKind::kDeleteFamily, "", "", timestamp, "");
    edits_.back().all_families = true;
    return *this;
  }

  const std::string& row() const { return row_; }
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  RowMutation& Add(CellKind kind, absl::string_view family,
                   absl::string_view qualifier, Timestamp timestamp,
                   absl::string_view value) {
    edits_.push_back({kind, false, std::string(family), std::string(qualifier),
                      timestamp, std::string(value)});
    return *this;
  }

  std::string row_;
  std::vector<Edit> edits_;
};

}  // namespace shale

#endif  // SHALE_REGION_ROW_MUTATION_H_
