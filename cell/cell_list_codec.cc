#include "shale/cell/cell_list_codec.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

// The head byte: the kind, and what is left out or added.
constexpr uint8_t kKindMask = 0x0f;
constexpr uint8_t kSameRow = 0x10;
constexpr uint8_t kSameFamily = 0x20;
constexpr uint8_t kSameTimestamp = 0x40;
constexpr uint8_t kHasTags = 0x80;

// head, operation, and the lengths of qualifier and value.
constexpr size_t kMinCellBytes = 4;

// `previous` is null for the first cell.
uint8_t HeadOf(const CellView& cell, const CellView* previous) {
  uint8_t head = static_cast<uint8_t>(cell.kind);
  if (previous != nullptr) {
    if (cell.row == previous->row) head |= kSameRow;
    if (cell.family == previous->family) head |= kSameFamily;
    if (cell.timestamp == previous->timestamp) head |= kSameTimestamp;
  }
  if (!cell.tags.empty()) head |= kHasTags;
  return head;
}

uint64_t OperationOf(const CellView& cell, WriteNumber base) {
  SHALE_CHECK(cell.number >= base) << DebugString(cell) << " before " << base;
  return cell.number.value - base.value;
}

size_t LengthPrefixedBytes(absl::string_view bytes) {
  return VarintBytes(bytes.size()) + bytes.size();
}

}  // namespace

void AppendCellList(absl::Span<const CellView> cells, WriteNumber base,
                    std::string* out) {
  PutVarint64(out, cells.size());
  const CellView* previous = nullptr;
  for (const CellView& cell : cells) {
    const uint8_t head = HeadOf(cell, previous);
    PutFixed8(out, head);
    PutVarint64(out, OperationOf(cell, base));
    if (!(head & kSameTimestamp)) {
      PutVarint64(out, static_cast<uint64_t>(cell.timestamp));
    }
    if (!(head & kSameRow)) PutLengthPrefixed(out, cell.row);
    if (!(head & kSameFamily)) PutLengthPrefixed(out, cell.family);
    PutLengthPrefixed(out, cell.qualifier);
    PutLengthPrefixed(out, cell.value);
    if (head & kHasTags) PutLengthPrefixed(out, cell.tags);
    previous = &cell;
  }
}

size_t CellListBytes(absl::Span<const CellView> cells, WriteNumber base) {
  size_t bytes = VarintBytes(cells.size());
  const CellView* previous = nullptr;
  for (const CellView& cell : cells) {
    const uint8_t head = HeadOf(cell, previous);
    bytes += 1 + VarintBytes(OperationOf(cell, base)) +
             LengthPrefixedBytes(cell.qualifier) +
             LengthPrefixedBytes(cell.value);
    if (!(head & kSameTimestamp)) {
      bytes += VarintBytes(static_cast<uint64_t>(cell.timestamp));
    }
    if (!(head & kSameRow)) bytes += LengthPrefixedBytes(cell.row);
    if (!(head & kSameFamily)) bytes += LengthPrefixedBytes(cell.family);
    if (head & kHasTags) bytes += LengthPrefixedBytes(cell.tags);
    previous = &cell;
  }
  return bytes;
}

absl::StatusOr<const CellView*> CellListReader::Next() {
  SHALE_RETURN_IF_ERROR(status_);
  if (!started_) SHALE_RETURN_IF_ERROR(ReadCount());
  if (read_ == count_) {
    if (in_.remaining() > 0) return Fail("bytes after the last cell");
    return nullptr;
  }
  SHALE_RETURN_IF_ERROR(ReadCell());
  ++read_;
  return &cell_;
}

absl::Status CellListReader::ReadCount() {
  started_ = true;
  if (!in_.ReadVarint64(&count_)) return Fail("no count");
  if (count_ > in_.remaining() / kMinCellBytes) {
    return Fail(
        absl::StrCat("count ", count_, " in ", in_.remaining(), " bytes"));
  }
  return absl::OkStatus();
}

absl::Status CellListReader::ReadCell() {
  uint8_t head = 0;
  uint64_t operation = 0;
  if (!in_.ReadFixed8(&head) || !in_.ReadVarint64(&operation)) {
    return Fail("cut off");
  }
  if (!IsCellKind(head & kKindMask)) {
    return Fail(absl::StrCat("kind ", head & kKindMask));
  }
  if (read_ == 0 && (head & (kSameRow | kSameFamily | kSameTimestamp)) != 0) {
    return Fail("reference to a cell before the first");
  }
  if (operation > kMaxWriteNumber.value - base_.value) {
    return Fail(absl::StrCat("operation ", operation));
  }
  uint64_t timestamp = static_cast<uint64_t>(cell_.timestamp);
  cell_.tags = {};
  if ((!(head & kSameTimestamp) && !in_.ReadVarint64(&timestamp)) ||
      (!(head & kSameRow) && !in_.ReadLengthPrefixed(&cell_.row)) ||
      (!(head & kSameFamily) && !in_.ReadLengthPrefixed(&cell_.family)) ||
      !in_.ReadLengthPrefixed(&cell_.qualifier) ||
      !in_.ReadLengthPrefixed(&cell_.value) ||
      ((head & kHasTags) && !in_.ReadLengthPrefixed(&cell_.tags))) {
    return Fail("cut off");
  }
  if (timestamp > static_cast<uint64_t>(kMaxTimestamp)) {
    return Fail(absl::StrCat("timestamp ", timestamp));
  }
  cell_.timestamp = static_cast<Timestamp>(timestamp);
  cell_.kind = static_cast<CellKind>(head & kKindMask);
  cell_.number = base_ + operation;
  if (cell_.row.size() > kMaxRowBytes ||
      cell_.family.size() > kMaxFamilyBytes ||
      cell_.qualifier.size() > kMaxQualifierBytes) {
    return Fail(absl::StrCat("row, family, qualifier of ", cell_.row.size(),
                             ", ", cell_.family.size(), ", ",
                             cell_.qualifier.size(), " bytes"));
  }
  if (IsFamilyDelete(cell_.kind) && !cell_.qualifier.empty()) {
    return Fail("family delete with a qualifier");
  }
  return absl::OkStatus();
}

absl::Status CellListReader::Fail(absl::string_view what) {
  status_ = absl::DataLossError(absl::StrCat(
      "cell list: cell ", read_, " before offset ", in_.offset(), ": ", what));
  return status_;
}

}  // namespace shale
