#include "shale/cell/row_range_scanner.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

// The key at which the rows from `row` on begin; empty if `row` is.
std::string BoundKey(absl::string_view row) {
  return row.empty() ? std::string() : FirstKeyOfRow(row);
}

class RowRangeScanner final : public CellScanner {
 public:
  RowRangeScanner(std::unique_ptr<CellScanner> scanner, absl::string_view low,
                  absl::string_view high)
      : scanner_(std::move(scanner)),
        low_key_(BoundKey(low)),
        high_key_(BoundKey(high)) {}

  absl::Status Seek(absl::string_view key) override {
    const bool below = !low_key_.empty() &&
                       (key.empty() || CompareCellKeys(key, low_key_) < 0);
    return Arrive(scanner_->Seek(below ? low_key_ : key));
  }

  absl::Status Next() override { return Arrive(scanner_->Next()); }

  const CellView* cell() const override {
    return inside_ ? scanner_->cell() : nullptr;
  }

  absl::string_view key() const override { return scanner_->key(); }

 private:
  absl::Status Arrive(absl::Status status) {
    inside_ =
        scanner_->cell() != nullptr &&
        (high_key_.empty() || CompareCellKeys(scanner_->key(), high_key_) < 0);
    return status;
  }

  const std::unique_ptr<CellScanner> scanner_;
  const std::string low_key_;
  const std::string high_key_;
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<CellScanner> NewRowRangeScanner(
    std::unique_ptr<CellScanner> scanner, absl::string_view low,
    absl::string_view high) {
  return std::make_unique<RowRangeScanner>(std::move(scanner), low, high);
}

}  // namespace shale
