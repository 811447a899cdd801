#ifndef SHALE_REGION_PREPARED_BATCH_H_
#define SHALE_REGION_PREPARED_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/cell/cell.h"
#include "shale/region/column_family.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region_options.h"

namespace shale {

// A batch on its way to the log: which mutations are sound, and the cells of
// those. Cells are numbered from 1 in the batch's order, one number for each
// edit, until Commit gives them their real ones. Not thread-safe.
class PreparedBatch {
 public:
  // Checks every mutation against the schema and the limits. In an atomic batch
  // one that is refused refuses all. `now` is for the timestamp slop alone.
  PreparedBatch(const RegionSchema& schema, const RegionOptions& options,
                MutationBatch batch, Timestamp now);
  // Its cells point into it.
  PreparedBatch(const PreparedBatch&) = delete;
  PreparedBatch& operator=(const PreparedBatch&) = delete;

  // Whether no mutation is left to apply.
  bool empty() const { return cells_.empty(); }
  bool atomic() const { return batch_.atomic; }

  // The rows of sound mutations, unsorted, perhaps with doubles.
  const std::vector<absl::string_view>& rows() const { return rows_; }
  // How many write numbers the batch takes.
  int64_t numbers() const { return numbers_; }
  // The families touched: LogEntry::families.
  uint64_t family_bits() const { return family_bits_; }
  // At most what the cells take in a memstore and as a log payload, whatever
  // their timestamps.
  int64_t memory_bytes() const { return memory_bytes_; }
  int64_t payload_bytes_limit() const { return payload_bytes_limit_; }

  // Gives `commit_timestamp` to every cell that asked for the latest, and
  // returns the log payload.
  std::string Stamp(Timestamp commit_timestamp);
  // Turns the numbers into those of `range`.
  void Number(WriteRange range);

  struct PlacedCell {
    size_t family = 0;  // Id.
    CellView cell;
  };
  absl::Span<const PlacedCell> cells() const { return cells_; }

  // The result with `status` for every sound mutation.
  ApplyResult Result(const absl::Status& status) const;

 private:
  absl::Status Check(const RowMutation& mutation, Timestamp now) const;
  absl::Status CheckEdit(const RowMutation& mutation, const Edit& edit,
                         Timestamp now) const;
  void AddCells(const RowMutation& mutation);

  const RegionSchema& schema_;
  const RegionOptions& options_;
  const MutationBatch batch_;
  std::vector<absl::Status> statuses_;  // By mutation.
  std::vector<absl::string_view> rows_;
  std::vector<PlacedCell> cells_;
  int64_t numbers_ = 0;
  uint64_t family_bits_ = 0;
  int64_t memory_bytes_ = 0;
  int64_t payload_bytes_limit_ = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_PREPARED_BATCH_H_
