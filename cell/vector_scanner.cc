#include "shale/cell/vector_scanner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

class VectorScanner final : public CellScanner {
 public:
  explicit VectorScanner(std::vector<Cell> cells) : cells_(std::move(cells)) {
    keys_.reserve(cells_.size());
    for (const Cell& cell : cells_) {
      AppendCellKey(cell.view(), &keys_.emplace_back());
      SHALE_CHECK(keys_.size() < 2 ||
                  CompareCellKeys(*(keys_.end() - 2), keys_.back()) <= 0)
          << DebugString(cell.view()) << " is out of order";
    }
    next_ = keys_.size();
  }

  absl::Status Seek(absl::string_view key) override {
    next_ = key.empty() ? 0
                        : std::lower_bound(
                              keys_.begin(), keys_.end(), key,
                              [](absl::string_view a, absl::string_view b) {
                                return CompareCellKeys(a, b) < 0;
                              }) -
                              keys_.begin();
    return Load();
  }

  absl::Status Next() override {
    ++next_;
    return Load();
  }

  const CellView* cell() const override {
    return next_ < cells_.size() ? &view_ : nullptr;
  }

  absl::string_view key() const override { return keys_[next_]; }

 private:
  absl::Status Load() {
    if (next_ < cells_.size()) view_ = cells_[next_].view();
    return absl::OkStatus();
  }

  const std::vector<Cell> cells_;
  std::vector<std::string> keys_;  // Of cells_, in the same order.
  size_t next_ = 0;
  CellView view_;  // Of cells_[next_].
};

}  // namespace

std::unique_ptr<CellScanner> NewVectorScanner(std::vector<Cell> cells) {
  return std::make_unique<VectorScanner>(std::move(cells));
}

}  // namespace shale
