#include "shale/cell/cell_key.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "shale/base/check.h"
#include "shale/base/coding.h"

namespace shale {
namespace {

constexpr size_t kRowLengthBytes = 2;

size_t RowBytes(absl::string_view key) {
  return static_cast<size_t>(static_cast<uint8_t>(key[0])) << 8 |
         static_cast<uint8_t>(key[1]);
}

template <typename T>
int Compare(const T& a, const T& b) {
  return a < b ? -1 : b < a;
}

// The seek keys below are keys of cells that sort before all real ones of their
// column and timestamp.
std::string SeekKey(absl::string_view row, absl::string_view qualifier,
                    Timestamp newest) {
  std::string key;
  AppendCellKey(CellView{.row = row,
                         .qualifier = qualifier,
                         .timestamp = newest,
                         .kind = kFirstCellKind,
                         .number = kMaxWriteNumber},
                &key);
  return key;
}

// The smallest byte string greater than `bytes`.
std::string Successor(absl::string_view bytes) {
  std::string successor(bytes);
  successor.push_back('\0');
  return successor;
}

}  // namespace

size_t CellKeyBytes(const CellView& cell) {
  return kRowLengthBytes + cell.row.size() + cell.qualifier.size() +
         kCellKeySuffixBytes;
}

void EncodeCellKey(const CellView& cell, char* out) {
  // One more than a row of a cell may have: FirstKeyAfterRow of the longest.
  SHALE_CHECK(cell.row.size() <= kMaxRowBytes + 1)
      << "row of " << cell.row.size() << " bytes";
  *out++ = static_cast<char>(cell.row.size() >> 8);
  *out++ = static_cast<char>(cell.row.size());
  out = std::copy(cell.row.begin(), cell.row.end(), out);
  out = std::copy(cell.qualifier.begin(), cell.qualifier.end(), out);
  EncodeBigEndian64(out, ~static_cast<uint64_t>(cell.timestamp));
  out += 8;
  *out++ = static_cast<char>(~static_cast<uint8_t>(cell.kind));
  EncodeBigEndian64(out, ~cell.number.value);
}

void AppendCellKey(const CellView& cell, std::string* out) {
  const size_t offset = out->size();
  out->resize(offset + CellKeyBytes(cell));
  EncodeCellKey(cell, out->data() + offset);
}

bool ParseCellKey(absl::string_view key, CellView* out) {
  if (!IsComparableCellKey(key)) return false;
  const size_t row_bytes = RowBytes(key);
  const size_t names_bytes = key.size() - kRowLengthBytes - kCellKeySuffixBytes;
  if (row_bytes > kMaxRowBytes ||
      names_bytes - row_bytes > kMaxQualifierBytes) {
    return false;
  }
  const char* suffix = key.data() + kRowLengthBytes + names_bytes;
  const uint64_t timestamp = ~DecodeBigEndian64(suffix);
  const uint8_t kind = ~static_cast<uint8_t>(suffix[8]);
  if (timestamp > static_cast<uint64_t>(kMaxTimestamp) || !IsCellKind(kind)) {
    return false;
  }
  out->row = key.substr(kRowLengthBytes, row_bytes);
  out->qualifier =
      key.substr(kRowLengthBytes + row_bytes, names_bytes - row_bytes);
  out->timestamp = static_cast<Timestamp>(timestamp);
  out->kind = static_cast<CellKind>(kind);
  out->number = WriteNumber{~DecodeBigEndian64(suffix + 9)};
  return !IsFamilyDelete(out->kind) || out->qualifier.empty();
}

absl::string_view CellKeyRow(absl::string_view key) {
  return key.substr(kRowLengthBytes, RowBytes(key));
}

absl::string_view CellKeyQualifier(absl::string_view key) {
  const size_t names_bytes = key.size() - kRowLengthBytes - kCellKeySuffixBytes;
  const size_t row_bytes = RowBytes(key);
  return key.substr(kRowLengthBytes + row_bytes, names_bytes - row_bytes);
}

bool IsComparableCellKey(absl::string_view key) {
  return key.size() >= kRowLengthBytes + kCellKeySuffixBytes &&
         RowBytes(key) <= key.size() - kRowLengthBytes - kCellKeySuffixBytes;
}

int CompareCellKeys(absl::string_view a, absl::string_view b) {
  const size_t a_row_bytes = RowBytes(a);
  const size_t b_row_bytes = RowBytes(b);
  const char* a_names = a.data() + kRowLengthBytes;
  const char* b_names = b.data() + kRowLengthBytes;
  if (a_row_bytes != b_row_bytes) {
    const int order =
        std::memcmp(a_names, b_names, std::min(a_row_bytes, b_row_bytes));
    return order != 0 ? order : Compare(a_row_bytes, b_row_bytes);
  }
  // With rows of one length, row and qualifier compare as one string; with
  // qualifiers of one length too, so does the whole key.
  if (a.size() == b.size()) {
    return std::memcmp(a_names, b_names, a.size() - kRowLengthBytes);
  }
  const int order = std::memcmp(
      a_names, b_names,
      std::min(a.size(), b.size()) - kRowLengthBytes - kCellKeySuffixBytes);
  return order != 0 ? order : Compare(a.size(), b.size());
}

int CompareCells(const CellView& a, const CellView& b) {
  if (const int order = a.row.compare(b.row); order != 0) return order;
  if (const int order = a.qualifier.compare(b.qualifier); order != 0) {
    return order;
  }
  if (a.timestamp != b.timestamp) return Compare(b.timestamp, a.timestamp);
  if (a.kind != b.kind) return Compare(b.kind, a.kind);
  return Compare(b.number, a.number);
}

std::string FirstKeyOfRow(absl::string_view row) {
  return FirstKeyOfColumn(row, "");
}

std::string FirstKeyOfColumn(absl::string_view row,
                             absl::string_view qualifier) {
  return FirstKeyOfVersion(row, qualifier, kMaxTimestamp);
}

std::string FirstKeyOfVersion(absl::string_view row,
                              absl::string_view qualifier, Timestamp newest) {
  return SeekKey(row, qualifier, newest);
}

std::string FirstKeyAfterColumn(absl::string_view row,
                                absl::string_view qualifier) {
  return FirstKeyOfColumn(row, Successor(qualifier));
}

std::string FirstKeyAfterRow(absl::string_view row) {
  return FirstKeyOfRow(Successor(row));
}

}  // namespace shale
