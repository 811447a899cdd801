#ifndef SHALE_REGION_REGION_SCANNER_H_
#define SHALE_REGION_REGION_SCANNER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shale/mvcc/read_pin.h"
#include "shale/region/read_request.h"
#include "shale/region/row_result.h"

namespace shale {

class FamilyScanner;

// Rows of a region as of the moment it was opened: one read point and one `now`
// throughout, whatever is flushed, compacted or written meanwhile. Holds no lock
// between calls. Not thread-safe. The region outlives it.
class RegionScanner {
 public:
  // One scanner for each family read, in the families' name order.
  RegionScanner(ReadPin pin, Scan scan,
                std::vector<std::unique_ptr<FamilyScanner>> families);
  ~RegionScanner();

  // The next row (or the next part of one), or nothing at the end. After an
  // error every later call returns it again: it can't be mistaken for the end.
  absl::StatusOr<std::optional<RowResult>> Next();

  WriteNumber read_point() const { return pin_.read_point(); }

 private:
  ReadPin pin_;
  Scan scan_;
  std::vector<std::unique_ptr<FamilyScanner>> families_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_SCANNER_H_
