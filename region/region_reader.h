#ifndef SHALE_REGION_REGION_READER_H_
#define SHALE_REGION_REGION_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "shale/base/clock.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/column_family.h"
#include "shale/region/read_request.h"
#include "shale/region/region_scanner.h"
#include "shale/region/region_stores.h"
#include "shale/region/row_result.h"

namespace shale {

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

 private:
  const RegionSchema& schema_;
  const RegionStores& stores_;
  Mvcc& mvcc_;
  Clock& clock_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_READER_H_
