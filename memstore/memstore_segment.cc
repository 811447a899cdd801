#include "shale/memstore/memstore_segment.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

class SegmentScanner final : public CellScanner {
 public:
  explicit SegmentScanner(const CellSkipList& cells) : at_(cells) {}

  absl::Status Seek(absl::string_view key) override {
    if (key.empty()) {
      at_.SeekToFirst();
    } else {
      at_.Seek(key);
    }
    Load();
    return absl::OkStatus();
  }

  absl::Status Next() override {
    at_.Next();
    Load();
    return absl::OkStatus();
  }

  const CellView* cell() const override {
    return at_.valid() ? &cell_ : nullptr;
  }
  absl::string_view key() const override { return at_.key(); }

 private:
  void Load() {
    if (!at_.valid()) return;
    SHALE_CHECK(ParseCellKey(at_.key(), &cell_));
    cell_.value = at_.value();
    cell_.tags = at_.tags();
  }

  CellSkipList::Iterator at_;
  CellView cell_;
};

}  // namespace

void MemstoreSegment::Insert(const CellView& cell) {
  if (!cells_.Insert(cell)) return;
  data_bytes_.fetch_add(
      static_cast<int64_t>(CellKeyBytes(cell) + cell.value.size() +
                           cell.tags.size()),
      std::memory_order_relaxed);
  if (IsDelete(cell.kind)) deletes_.fetch_add(1, std::memory_order_relaxed);
  cells_count_.fetch_add(1, std::memory_order_relaxed);
}

MemstoreSize MemstoreSegment::size() const {
  MemstoreSize size;
  size.data_bytes = data_bytes_.load(std::memory_order_relaxed);
  size.arena_bytes = arena_.bytes_reserved();
  size.cells = cells_count_.load(std::memory_order_relaxed);
  size.deletes = deletes_.load(std::memory_order_relaxed);
  return size;
}

std::unique_ptr<CellScanner> MemstoreSegment::NewScanner() const {
  return std::make_unique<SegmentScanner>(cells_);
}

}  // namespace shale
