#ifndef SHALE_REGION_ROW_MUTATION_H_
#define SHALE_REGION_ROW_MUTATION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/timestamp.h"
#include "shale/region/durability.h"

namespace shale {

// How the value of a put comes about.
enum class ValueSource {
  kGiven,
  // The newest value, 8 bytes big-endian (absent: 0), plus `delta`; as signed
  // 64-bit numbers, which wrap around. By 0: nothing is written.
  kIncrement,
  // The newest value (absent: empty), followed by `value`.
  kAppend,
};

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
  // Encoded tags of the new cell (cell/tags.h).
  std::string tags;

  // Anything but kGiven reads what is there when the row is locked, edits of
  // the same batch that come before this one included. The new cell's timestamp
  // is the commit timestamp, or one more than the old cell's if that is larger;
  // by the rule `timestamp` also more than that of a delete without a timestamp
  // that comes before it in the batch.
  // It keeps the old one's tags, but for types that `tags` has too.
  ValueSource source = ValueSource::kGiven;
  int64_t delta = 0;
  // Only values with such timestamps are there.
  TimeRange old_range;
};

// Changes to one row, applied all at once and in the order given: each is a
// write of its own in the region's order, so under the delete rule `sequence`
// [delete the row, put a cell] leaves the cell and [put, delete] does not. Says
// what is to be done and checks nothing: errors come from Region::Apply. A
// value type, thread-compatible; copies what it is given.
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

  // The column's counter changes by `delta`.
  RowMutation& Increment(absl::string_view family, absl::string_view qualifier,
                         int64_t delta, TimeRange old_range = {}) {
    Add(CellKind::kPut, family, qualifier, kLatestTimestamp, "");
    edits_.back().source = ValueSource::kIncrement;
    edits_.back().delta = delta;
    edits_.back().old_range = old_range;
    return *this;
  }
  // The column's value gets `suffix` at its end.
  RowMutation& Append(absl::string_view family, absl::string_view qualifier,
                      absl::string_view suffix, TimeRange old_range = {}) {
    Add(CellKind::kPut, family, qualifier, kLatestTimestamp, suffix);
    edits_.back().source = ValueSource::kAppend;
    edits_.back().old_range = old_range;
    return *this;
  }
  // Gives encoded tags (cell/tags.h) to the cell of the last edit. REQUIRES:
  // there is one.
  RowMutation& WithTags(absl::string_view tags) {
    edits_.back().tags = std::string(tags);
    return *this;
  }

  // The level of this mutation, in place of its batch's.
  RowMutation& WithDurability(Durability level) {
    durability_ = level;
    return *this;
  }

  Durability durability() const { return durability_; }
  const std::string& row() const { return row_; }
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  RowMutation& Add(CellKind kind, absl::string_view family,
                   absl::string_view qualifier, Timestamp timestamp,
                   absl::string_view value) {
    Edit& edit = edits_.emplace_back();
    edit.kind = kind;
    edit.family = std::string(family);
    edit.qualifier = std::string(qualifier);
    edit.timestamp = timestamp;
    edit.value = std::string(value);
    return *this;
  }

  std::string row_;
  std::vector<Edit> edits_;
  Durability durability_ = Durability::kDefault;
};

}  // namespace shale

#endif  // SHALE_REGION_ROW_MUTATION_H_
