#include "shale/cell/merging_scanner.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

// The current source is kept outside the binary heap of the others, so that a
// run of cells from one source, the common case, costs one comparison a cell.
class MergingScanner final : public CellScanner {
 public:
  explicit MergingScanner(std::vector<std::unique_ptr<CellScanner>> scanners)
      : scanners_(std::move(scanners)) {
    others_.reserve(scanners_.size());
  }

  absl::Status Seek(absl::string_view key) override {
    SHALE_RETURN_IF_ERROR(status_);
    others_.clear();
    current_ = Source{};
    for (size_t i = 0; i < scanners_.size(); ++i) {
      if (absl::Status status = scanners_[i]->Seek(key); !status.ok()) {
        return Fail(std::move(status));
      }
      if (scanners_[i]->cell() != nullptr) {
        others_.push_back({scanners_[i].get(), i, scanners_[i]->key()});
      }
    }
    std::make_heap(others_.begin(), others_.end(), After);
    if (!others_.empty()) TakeFirst();
    return absl::OkStatus();
  }

  absl::Status Next() override {
    SHALE_RETURN_IF_ERROR(status_);
    if (absl::Status status = current_.scanner->Next(); !status.ok()) {
      return Fail(std::move(status));
    }
    if (current_.scanner->cell() == nullptr) {
      current_ = Source{};
      if (!others_.empty()) TakeFirst();
      return absl::OkStatus();
    }
    current_.key = current_.scanner->key();
    if (!others_.empty() && After(current_, others_.front())) {
      SwapWithFirst();
    }
    return absl::OkStatus();
  }

  const CellView* cell() const override {
    return current_.scanner == nullptr ? nullptr : current_.scanner->cell();
  }

  absl::string_view key() const override { return current_.key; }

 private:
  struct Source {
    CellScanner* scanner = nullptr;
    size_t rank = 0;        // Its place in scanners_: smaller wins a tie.
    absl::string_view key;  // scanner->key(), valid until its next call.
  };

  static bool After(const Source& a, const Source& b) {
    const int order = CompareCellKeys(a.key, b.key);
    return order > 0 || (order == 0 && a.rank > b.rank);
  }

  void TakeFirst() {
    std::pop_heap(others_.begin(), others_.end(), After);
    current_ = others_.back();
    others_.pop_back();
  }

  // Exchanges the current source with the heap's first and lets it sink: half
  // the comparisons of a push and a pop.
  void SwapWithFirst() {
    std::swap(current_, others_.front());
    size_t parent = 0;
    for (;;) {
      size_t child = 2 * parent + 1;
      if (child >= others_.size()) return;
      if (child + 1 < others_.size() &&
          After(others_[child], others_[child + 1])) {
        ++child;
      }
      if (!After(others_[parent], others_[child])) return;
      std::swap(others_[parent], others_[child]);
      parent = child;
    }
  }

  absl::Status Fail(absl::Status status) {
    current_ = Source{};
    status_ = std::move(status);
    return status_;
  }

  std::vector<std::unique_ptr<CellScanner>> scanners_;
  std::vector<Source> others_;  // A min-heap by (key, rank).
  Source current_;
  absl::Status status_;
};

}  // namespace

std::unique_ptr<CellScanner> NewMergingScanner(
    std::vector<std::unique_ptr<CellScanner>> scanners) {
  return std::make_unique<MergingScanner>(std::move(scanners));
}

}  // namespace shale
