#ifndef SHALE_REGION_TESTING_NAIVE_REGION_H_
#define SHALE_REGION_TESTING_NAIVE_REGION_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "shale/cell/cell.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filter/testing/naive_family.h"
#include "shale/filter/version_resolver.h"
#include "shale/region/column_family.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/read_request.h"
#include "shale/region/region_options.h"
#include "shale/region/row_result.h"

namespace shale {

// What became of a batch; as ApplyResult, with codes for statuses.
struct NaiveAnswer {
  std::vector<absl::StatusCode> codes;
  bool matched = true;
  std::vector<RowResult> rows;
};

// What one region answers, by its rules as prose: the slow twin of Region. It
// has no log, no files and no threads, only the rules of
// docs/deletes-and-versions.md applied to all that was ever written. Not
// thread-safe.
//
// Its write numbers are its own: in the order of the region's, but without the
// gaps that a region's markers leave.
class NaiveRegion {
 public:
  NaiveRegion(const RegionSchema& schema, const RegionOptions& options);

  // Applies the good mutations of `batch`, none of an atomic one with a bad one
  // among them, and says what becomes of each. Every edit is a write of its
  // own, in the order given; those without a timestamp get `commit_timestamp`.
  NaiveAnswer Apply(const MutationBatch& batch, Timestamp commit_timestamp,
                    Timestamp now);

  // What the region answers at `now`. REQUIRES: a request without a mistake.
  RowResult ReadRow(const Get& get, Timestamp now) const;
  // All results of the scan, a row with too many cells in several.
  std::vector<RowResult> ScanRows(const Scan& scan, Timestamp now) const;

  // Forgets what a flush, or a compaction of all files, of the region may
  // forget while the oldest reader stands at `smallest_pinned`.
  void Flush(WriteNumber smallest_pinned, Timestamp now);
  void Compact(WriteNumber smallest_pinned, Timestamp now);

  // The last write's number.
  WriteNumber last() const { return state_.last; }

 private:
  // All that a refused mutation is taken back from.
  struct State {
    std::map<std::string, NaiveFamily> families;
    std::set<std::string> rows;  // Ever written.
    WriteNumber last;
    std::vector<Cell> markers;  // Of the current batch.
  };

  bool CheckHolds(const RowCheck& check, Timestamp now,
                  Timestamp& timestamp) const;
  absl::StatusCode ApplyMutation(const RowMutation& mutation,
                                 Timestamp& timestamp, Timestamp now,
                                 WriteNumber before_batch, RowResult& result);
  absl::StatusCode ApplyUpdate(const RowMutation& mutation, const Edit& edit,
                               Timestamp& of_commit, Timestamp now,
                               WriteNumber before_batch, RowResult& result);
  // Whether, by the rule `timestamp`, a delete of the batch hides a cell that
  // comes after it with this timestamp.
  bool HiddenByBatch(const std::string& row, const Edit& edit,
                     Timestamp timestamp) const;
  std::optional<Cell> Newest(const std::string& row, const std::string& family,
                             const std::string& qualifier, TimeRange range,
                             Timestamp now) const;
  absl::StatusCode Judge(const RowMutation& mutation) const;
  absl::StatusCode JudgeEdit(const RowMutation& mutation,
                             const Edit& edit) const;
  void ApplyEdit(const std::string& row, const Edit& edit, Timestamp timestamp,
                 const std::string& value);
  std::vector<Cell> CellsOf(const std::string& row, const ReadOptions& options,
                            Timestamp now) const;

  const RegionSchema schema_;
  const RegionOptions options_;
  State state_;
  WriteNumber flushed_;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_NAIVE_REGION_H_
