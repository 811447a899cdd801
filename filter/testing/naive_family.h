#ifndef SHALE_FILTER_TESTING_NAIVE_FAMILY_H_
#define SHALE_FILTER_TESTING_NAIVE_FAMILY_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"
#include "shale/cell/write_number.h"
#include "shale/filter/retention_rules.h"
#include "shale/filter/version_resolver.h"

namespace shale {

// What one column family holds, by the rules as docs/deletes-and-versions.md
// states them: the slow twin of VersionResolver. It keeps every cell ever
// applied, except what Rewrite forgets, and works each answer out from scratch.
// Not thread-safe.
class NaiveFamily {
 public:
  explicit NaiveFamily(const RetentionRules& rules) : rules_(rules) {}

  // In any order. A cell with the key of an earlier one is that cell again and
  // changes nothing.
  void Apply(const Cell& cell);

  // What a read of `row` sees, in key order.
  std::vector<Cell> Read(absl::string_view row, const ReadView& view) const;

  // Forgets what later reads can't see any more because of a flush or
  // compaction of the cells numbered `numbers`. Under DeleteRule::kSequence
  // that is nothing but expired puts beyond min_versions, in a compaction from
  // the oldest.
  void Rewrite(const WriteRange& numbers, const RewriteView& view);

  // All that is not forgotten, in key order.
  std::vector<Cell> cells() const;

 private:
  // One row's cells, in key order.
  using Row = std::vector<Cell>;
  // A column's puts, newest first.
  using Column = std::vector<Cell>;

  std::map<std::string, Column> ColumnsBySequence(const Row& row,
                                                  WriteNumber read_point) const;
  std::map<std::string, Column> ColumnsByTimestamp(
      const Row& row, WriteNumber read_point) const;
  bool Expired(const Cell& cell, Timestamp now) const;
  Row RewrittenBySequence(const Row& row, const WriteRange& numbers,
                          const RewriteView& view) const;
  Row RewrittenByTimestamp(const Row& row, const WriteRange& numbers,
                           const RewriteView& view) const;

  const RetentionRules rules_;
  std::map<std::string, Row> rows_;
};

}  // namespace shale

#endif  // SHALE_FILTER_TESTING_NAIVE_FAMILY_H_
