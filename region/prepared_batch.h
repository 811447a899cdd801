#ifndef SHALE_REGION_PREPARED_BATCH_H_
#define SHALE_REGION_PREPARED_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
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

  // Before the first Resolve, and whenever the rows were given back since:
  // forgets what was read. What has expired at `now` is not there, for the
  // check and all edits alike.
  void BeginResolve(Timestamp now);

  // What Resolve makes of the batch.
  enum class Resolution {
    kWrite,
    kNothing,        // There is nothing to write: the answer is known.
    kNeedFiles,      // It must read store files, which `depth` forbids.
    kNeedTimestamp,  // What it reads depends on the commit timestamp.
  };
  // Reads the rows and makes the cells, from where the last call stopped: what
  // that read stays true, as the rows are locked. Those without a timestamp get
  // the commit timestamp, or a larger one that what is there calls for.
  // REQUIRES: reads(), BeginResolve was called with the rows locked
  // exclusively. An error is one of reading, never UNKNOWN.
  absl::StatusOr<Resolution> Resolve(const RegionReader& reader,
                                     ReadDepth depth);
  // Whether all cells are made.
  bool resolved() const {
    return !reads_ || next_.mutation == batch_.mutations.size();
  }
  // The largest number that Resolve read.
  WriteNumber newest_read() const { return newest_read_; }

  // Of the cells made and to be made; once, for a batch that reads once after
  // each BeginResolve.
  void SetCommitTimestamp(Timestamp commit_timestamp);
  bool has_commit_timestamp() const { return has_commit_timestamp_; }
  // The same, or more: the largest that the batch has made of it, so as to be
  // above its own deletes. Those that an explicit timestamp called for don't
  // count. REQUIRES: has_commit_timestamp().
  Timestamp commit_timestamp() const { return commit_timestamp_; }

  // What goes to the log. REQUIRES: resolved(), has_commit_timestamp().
  std::string Payload() const;
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
  // Whether what a repeat is told is remembered, so that ResultAsBefore reads
  // nothing.
  bool IsRemembered(const NonceOutcome& outcome) const {
    return !batch_.want_results || outcome.rows != nullptr;
  }
  // The result of a repeat: what `outcome` tells and, if wanted, what the first
  // made of the columns of increments and appends. Where that isn't remembered
  // it is read: columns whose new cell is no longer stored, or that were
  // counted up by 0, are absent. UNKNOWN if it can't be read, since the batch
  // was applied.
  absl::StatusOr<ApplyResult> ResultAsBefore(const NonceOutcome& outcome,
                                             const RegionReader& reader) const;

 private:
  // Family, row, and the qualifier or that it is of the whole family.
  using PendingKey =
      std::tuple<size_t, absl::string_view, absl::string_view, bool>;

  // A column's new cell, for the answer; the last of a column counts.
  struct NewCell {
    size_t mutation = 0;
    size_t place = 0;            // In cells_,
    std::optional<Cell> stored;  // unless it was there before.
  };

  // Where Resolve carries on.
  struct Place {
    size_t mutation = 0;
    size_t edit = 0;
    // Before that mutation: numbers_, and how many cells_ there were.
    size_t cells = 0;
    int64_t numbers = 0;
  };
  // What it lacks to go on, if anything.
  using Lack = std::optional<Resolution>;

  void AbortIfRefused();
  void ForgetCells();
  void TruncateCells(size_t cells, int64_t numbers);
  void AddEdit(const RowMutation& mutation, const Edit& edit);
  void AddCell(size_t family, CellView cell, bool takes_commit_timestamp);

  absl::StatusOr<Resolution> MakeCells(const RegionReader& reader,
                                       ReadDepth depth);
  absl::StatusOr<Lack> CheckHolds(const RegionReader& reader, ReadDepth depth);
  // Of next_, as the following.
  absl::StatusOr<Lack> AddMutation(const RegionReader& reader, ReadDepth depth);
  absl::StatusOr<Lack> AddUpdate(const Edit& edit, const RegionReader& reader,
                                 ReadDepth depth);
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

  // The least of cells without one: the commit timestamp, once it is known, or
  // what is there calls for a larger one.
  Timestamp timestamp_ = kMinTimestamp;
  bool has_commit_timestamp_ = false;
  Timestamp commit_timestamp_ = 0;
  Timestamp now_ = 0;  // Of BeginResolve.
  Place next_;
  bool checked_row_ = false;  // matched_ is known.
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
