#ifndef SHALE_REGION_PREPARED_BATCH_H_
#define SHALE_REGION_PREPARED_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/cell/cell.h"
#include "shale/region/column_family.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/nonce_registry.h"
#include "shale/region/placed_cell.h"
#include "shale/region/region_options.h"
#include "shale/region/region_reader.h"

namespace shale {

// What a batch's cells take at most, whatever their timestamps.
struct BatchSize {
  int64_t memory_bytes = 0;   // In a memstore.
  int64_t payload_bytes = 0;  // In the log.

  bool FitsIn(const BatchSize& other) const {
    return memory_bytes <= other.memory_bytes &&
           payload_bytes <= other.payload_bytes;
  }
};

// A batch on its way to the log: which mutations are sound, and the cells of
// those. Cells are numbered from 1 in the batch's order, one number for each
// edit that writes, until Number() gives them their real ones.
//
// The cells of a batch that reads (increments, appends, a check) are known only
// once its rows are locked and Resolve() has read them. Not thread-safe.
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
  bool empty() const { return rows_.empty(); }
  // Whether its cells depend on what is there.
  bool reads() const { return reads_; }
  // Whether its rows must be locked exclusively.
  bool exclusive() const { return batch_.atomic || reads_; }
  Nonce nonce() const { return batch_.nonce; }

  // The rows of sound mutations, unsorted, perhaps with doubles.
  const std::vector<absl::string_view>& rows() const { return rows_; }

  // What to reserve: exact, or for a batch that reads a first guess.
  BatchSize reservation() const;
  // The next guess, once Resolve has shown the first to be too small: with room
  // for what others add meanwhile.
  BatchSize larger_reservation() const;

  // What Resolve makes of the batch.
  enum class Resolution {
    kWrite,
    kNothing,    // There is nothing to write: the answer is known.
    kNeedFiles,  // It must read store files, which `depth` forbids.
  };
  // Reads the rows and makes the cells anew; those without a timestamp get
  // `commit_timestamp`, or a larger one that what is there calls for. What has
  // expired at `now` is not there, for the check and all edits alike. REQUIRES:
  // reads(), the rows are locked exclusively. An error is one of reading, never
  // UNKNOWN.
  absl::StatusOr<Resolution> Resolve(Timestamp commit_timestamp, Timestamp now,
                                     const RegionReader& reader,
                                     ReadDepth depth);
  // The largest number that Resolve read.
  WriteNumber newest_read() const { return newest_read_; }

  // Gives `commit_timestamp` to every cell that still asks for the latest, and
  // returns the log payload.
  std::string Stamp(Timestamp commit_timestamp);
  // Turns the numbers into those of `range`.
  void Number(WriteRange range);

  // Of the cells as they are: how many write numbers they take, the families
  // touched (LogEntry::families), their size.
  int64_t numbers() const { return numbers_; }
  uint64_t family_bits() const { return family_bits_; }
  BatchSize size() const;
  absl::Span<const PlacedCell> cells() const { return cells_; }

  // The result with `status` for every mutation that was not refused.
  ApplyResult Result(const absl::Status& status) const;
  // The new cells of increments and appends, for a repeat: also if this one
  // doesn't want them. Only of a batch with a nonce, for the others don't note
  // them.
  std::vector<RowResult> NewCells() const;
  // The result of a repeat: what `outcome` tells and, if wanted, what the first
  // made of the columns of increments and appends. Where that isn't remembered
  // it is read: columns whose new cell is no longer stored, or that were
  // counted up by 0, are absent.
  absl::StatusOr<ApplyResult> ResultAsBefore(const NonceOutcome& outcome,
                                             const RegionReader& reader) const;

 private:
  static constexpr size_t kNowhere = static_cast<size_t>(-1);

  // Family, row, and the qualifier or that it is of the whole family.
  using PendingKey =
      std::tuple<size_t, absl::string_view, absl::string_view, bool>;

  // A column's new cell, for the answer; the last of a column counts.
  struct NewCell {
    size_t mutation = 0;
    Cell cell;
    // In cells_; kNowhere if it was there before.
    size_t place = kNowhere;
  };

  void AbortIfRefused();
  void ForgetCells();
  void TruncateCells(size_t cells, int64_t numbers);
  void AddEdit(const RowMutation& mutation, const Edit& edit,
               Timestamp timestamp);
  void AddCell(size_t family, CellView cell);

  absl::StatusOr<Resolution> MakeCells(Timestamp commit_timestamp,
                                       const RegionReader& reader,
                                       ReadDepth depth);
  // False if it takes a look at store files.
  absl::StatusOr<bool> CheckHolds(const RegionReader& reader, ReadDepth depth);
  absl::StatusOr<bool> AddMutation(size_t mutation, const RegionReader& reader,
                                   ReadDepth depth);
  absl::StatusOr<bool> AddUpdate(size_t mutation, const Edit& edit,
                                 const RegionReader& reader, ReadDepth depth);
  // The cells so far that say something about a column.
  std::vector<PlacedCell> PendingOf(size_t family, absl::string_view row,
                                    absl::string_view qualifier);
  static PendingKey PendingKeyOf(const PlacedCell& placed);
  // Raises timestamp_ above those of `pending` that would mask a cell with it,
  // by the rule `timestamp`, though they come before.
  void ExceedMarkers(size_t family, absl::Span<const PlacedCell> pending);
  bool notes_new_cells() const {
    return batch_.want_results || batch_.nonce.nonce != 0;
  }
  absl::StatusOr<std::vector<RowResult>> ReadNewCells(
      WriteRange range, const RegionReader& reader) const;

  const RegionSchema& schema_;
  const RegionOptions& options_;
  const MutationBatch batch_;
  std::vector<absl::Status> statuses_;  // By mutation.
  std::vector<absl::string_view> rows_;
  bool reads_ = false;
  std::vector<absl::Status> checked_;  // statuses_ before Resolve.

  Timestamp timestamp_ = 0;  // Of cells without one, while Resolve makes them.
  Timestamp now_ = 0;        // Of Resolve.
  std::vector<PlacedCell> cells_;
  // The places of the first `indexed_` of cells_.
  absl::flat_hash_map<PendingKey, std::vector<size_t>> pending_;
  size_t indexed_ = 0;
  std::deque<std::string> made_;  // Values and tags of cells_.
  int64_t numbers_ = 0;
  uint64_t family_bits_ = 0;

  WriteNumber newest_read_;
  bool matched_ = true;
  std::vector<NewCell> new_cells_;
};

}  // namespace shale

#endif  // SHALE_REGION_PREPARED_BATCH_H_
