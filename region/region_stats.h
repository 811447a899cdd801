#ifndef SHALE_REGION_REGION_STATS_H_
#define SHALE_REGION_REGION_STATS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/base/histogram.h"
#include "shale/cell/write_number.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_lock_table.h"
#include "shale/mvcc/mvcc.h"

namespace shale {

// What a flush wrote.
struct FlushResult {
  // False: there was nothing to flush.
  bool flushed = false;
  uint64_t cells = 0;
  uint64_t bytes = 0;
  std::vector<std::string> files;
};

// What a compaction read and wrote, over all families.
struct CompactionResult {
  // False: there was no file to compact.
  bool compacted = false;
  uint64_t input_files = 0;
  uint64_t input_bytes = 0;
  uint64_t output_files = 0;
  uint64_t output_bytes = 0;
  uint64_t dropped_cells = 0;
};

// How much of a column family there is. Of a file all cells count, also those
// outside of the bounds that the manifest gives it.
struct FamilyStats {
  std::string name;
  int64_t memstore_bytes = 0;
  int64_t memstore_cells = 0;
  int64_t files = 0;
  int64_t file_bytes = 0;
  int64_t file_cells = 0;
};

// Which variants a region is made of, each by the value of its flag. What takes
// part in writes alone is empty in a region that is open to be read.
struct RegionVariants {
  absl::string_view completion;        // --//mvcc:completion
  absl::string_view commit_sequencer;  // --//locking:commit_sequencer
  absl::string_view increment;         // --//region:increment
};

// One region at one moment; counters since it was opened. While it is written
// the figures are of slightly different moments.
struct RegionStats {
  std::vector<FamilyStats> families;
  WriteNumber read_point;
  WriteNumber write_point;
  // Everything up to here is in store files.
  WriteNumber flushed;
  // Batches that were applied, read-modify-writes among them; those of them
  // that skipped the log; and their cells, delete markers included.
  int64_t commits = 0;
  int64_t unlogged_commits = 0;
  int64_t cells_written = 0;
  // Reads of one row, and scanners opened; refused ones too.
  int64_t gets = 0;
  int64_t scans = 0;
  // What those that had something to do took, as long as they didn't fail.
  Histogram flush_micros;
  Histogram compaction_micros;
  int64_t flush_failures = 0;
  int64_t flushed_bytes = 0;
  int64_t compaction_failures = 0;
  int64_t compaction_input_bytes = 0;
  int64_t compaction_output_bytes = 0;
  // What writers waited for.
  RowLockStats row_locks;
  MvccStats mvcc;
  int64_t increment_barrier_waits = 0;
  RowCommitSequencerStats sequencer;
  RegionVariants variants;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_STATS_H_
