#ifndef SHALE_REGION_REGION_READER_H_
#define SHALE_REGION_REGION_READER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"
#include "shale/cell/timestamp.h"
#include "shale/filter/version_resolver.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/column_family.h"
#include "shale/region/placed_cell.h"
#include "shale/region/read_request.h"
#include "shale/region/region_scanner.h"
#include "shale/region/region_stores.h"
#include "shale/region/row_result.h"

namespace shale {

// One column of one row.
struct ColumnRequest {
  absl::string_view row;
  size_t family = 0;  // Id.
  absl::string_view qualifier;
  // Cells with other timestamps don't exist.
  TimeRange time_range;
};

// The newest state of a column, also what is not visible yet.
struct NewestCell {
  std::optional<Cell> cell;
  // Whether it is one of the pending cells.
  bool pending = false;
  // The largest number that the answer depends on, of a delete too; zero if
  // nothing was there.
  WriteNumber newest_read;
};

// How far a read may go. One that stays in memory never blocks.
enum class ReadDepth { kMemory, kFiles };

// Opens reads of one region: pins the read point, then takes the view, then
// leaves out the files that can't hold what is asked for. Thread-safe.
class RegionReader {
 public:
  // All outlive it.
  RegionReader(const RegionSchema& schema, const RegionStores& stores,
               Mvcc& mvcc, Clock& clock)
      : schema_(schema), stores_(stores), mvcc_(mvcc), clock_(clock) {}

  // INVALID_ARGUMENT for an empty row or a bad limit, NOT_FOUND for a family
  // that isn't there.
  absl::StatusOr<RowResult> Read(const Get& get) const;
  absl::StatusOr<std::unique_ptr<RegionScanner>> NewScanner(
      const Scan& scan) const;

  // As Read, but of the writes up to `read_point`. Versions that a flush or
  // compaction has dropped since are absent.
  absl::StatusOr<RowResult> ReadAt(const Get& get,
                                   WriteNumber read_point) const;

  // The column as if `pending` had been written on top of all that is there:
  // cells of this column, and family deletes of its row, with (provisional)
  // numbers that say in which order. What has expired at `now` is gone. Nothing
  // if it takes a look at store files, and `depth` forbids it. Whoever holds
  // the row's lock exclusively gets what its next write will meet.
  absl::StatusOr<std::optional<NewestCell>> ReadNewest(
      const ColumnRequest& column, absl::Span<const PlacedCell> pending,
      Timestamp now, ReadDepth depth) const;

 private:
  absl::StatusOr<std::unique_ptr<RegionScanner>> NewScannerAt(
      const Scan& scan, std::optional<WriteNumber> read_point) const;
  absl::StatusOr<NewestCell> FindNewest(
      const std::shared_ptr<const RegionView>& view,
      const ColumnRequest& column, const ReadView& read,
      std::vector<std::unique_ptr<CellScanner>> scanners) const;

  const RegionSchema& schema_;
  const RegionStores& stores_;
  Mvcc& mvcc_;
  Clock& clock_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_READER_H_
