#ifndef SHALE_REGION_REGION_SCANNER_H_
#define SHALE_REGION_REGION_SCANNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/mvcc/read_pin.h"
#include "shale/region/read_request.h"
#include "shale/region/row_result.h"

namespace shale {

class FamilyScanner;

// Rows of a region as of the moment it was opened: one read point and one `now`
// throughout, whatever is flushed, compacted or written meanwhile. Holds no
// lock between calls. Not thread-safe. The region outlives it.
class RegionScanner {
 public:
  // One scanner for each family read, in the order of the families' names.
  RegionScanner(ReadPin pin, Scan scan,
                std::vector<std::unique_ptr<FamilyScanner>> families);
  ~RegionScanner();

  // The next row (or the next part of one), or nothing at the end. After an
  // error every later call returns it again: it can't be mistaken for the end.
  absl::StatusOr<std::optional<RowResult>> Next();

  WriteNumber read_point() const { return pin_.read_point(); }

 private:
  absl::Status Start();
  // The smallest row that a family stands at; nothing at the end.
  std::optional<std::string> CurrentRow() const;
  // Moves cells of result->row into it, up to the batch limit.
  absl::Status Fill(RowResult* result);
  absl::StatusOr<std::optional<RowResult>> NextOrError();

  const ReadPin pin_;
  const Scan scan_;
  const std::vector<std::unique_ptr<FamilyScanner>> families_;
  bool started_ = false;
  // The row whose rest the next result brings.
  std::optional<std::string> unfinished_row_;
  int64_t rows_ = 0;  // Begun.
  absl::Status status_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_SCANNER_H_
