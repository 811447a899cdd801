#include "shale/storefile/file_info_codec.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

constexpr uint8_t kIncludesOldest = 1;

bool ReadString(Decoder& in, size_t max_bytes, std::string* out) {
  absl::string_view bytes;
  if (!in.ReadLengthPrefixed(&bytes) || bytes.size() > max_bytes) return false;
  *out = std::string(bytes);
  return true;
}

bool ReadTimestamp(Decoder& in, Timestamp* timestamp) {
  uint64_t value;
  if (!in.ReadFixed64(&value) || value > uint64_t{kMaxTimestamp}) return false;
  *timestamp = static_cast<Timestamp>(value);
  return true;
}

bool ReadCodes(Decoder& in, StoreFileInfo* info) {
  uint8_t compression, bloom, flags;
  if (!in.ReadFixed8(&compression) || !IsCompression(compression) ||
      !in.ReadFixed8(&bloom) || !IsBloomKind(bloom) || !in.ReadFixed8(&flags) ||
      (flags & ~kIncludesOldest) != 0) {
    return false;
  }
  info->compression = static_cast<Compression>(compression);
  info->bloom = static_cast<BloomKind>(bloom);
  info->includes_oldest = (flags & kIncludesOldest) != 0;
  return true;
}

}  // namespace

void AddCellToInfo(const CellView& cell, StoreFileInfo* info) {
  if (info->cells == 0) info->first_row = std::string(cell.row);
  info->last_row.assign(cell.row.data(), cell.row.size());
  info->min_timestamp = std::min(info->min_timestamp, cell.timestamp);
  info->max_timestamp = std::max(info->max_timestamp, cell.timestamp);
  info->min_number = std::min(info->min_number, cell.number);
  info->max_number = std::max(info->max_number, cell.number);
  ++info->cells;
  info->deletes += IsDelete(cell.kind);
  info->family_deletes += IsFamilyDelete(cell.kind);
  info->tagged_cells += !cell.tags.empty();
  info->key_bytes += CellKeyBytes(cell);
  info->value_bytes += cell.value.size() + cell.tags.size();
}

std::string EncodeStoreFileInfo(const StoreFileInfo& info) {
  std::string block;
  PutLengthPrefixed(&block, info.family);
  PutLengthPrefixed(&block, info.first_row);
  PutLengthPrefixed(&block, info.last_row);
  PutFixed64(&block, static_cast<uint64_t>(info.min_timestamp));
  PutFixed64(&block, static_cast<uint64_t>(info.max_timestamp));
  PutFixed64(&block, info.min_number.value);
  PutFixed64(&block, info.max_number.value);
  PutFixed64(&block, static_cast<uint64_t>(info.created_at));
  PutVarint64(&block, info.cells);
  PutVarint64(&block, info.deletes);
  PutVarint64(&block, info.family_deletes);
  PutVarint64(&block, info.tagged_cells);
  PutVarint64(&block, info.key_bytes);
  PutVarint64(&block, info.value_bytes);
  PutVarint64(&block, info.data_blocks);
  PutFixed8(&block, static_cast<uint8_t>(info.compression));
  PutFixed8(&block, static_cast<uint8_t>(info.bloom));
  PutFixed8(&block, info.includes_oldest ? kIncludesOldest : 0);
  return block;
}

absl::StatusOr<StoreFileInfo> DecodeStoreFileInfo(absl::string_view block) {
  Decoder in(block);
  StoreFileInfo info;
  if (!ReadString(in, kMaxFamilyBytes, &info.family) ||
      !ReadString(in, kMaxRowBytes, &info.first_row) ||
      !ReadString(in, kMaxRowBytes, &info.last_row) ||
      !ReadTimestamp(in, &info.min_timestamp) ||
      !ReadTimestamp(in, &info.max_timestamp) ||
      !in.ReadFixed64(&info.min_number.value) ||
      !in.ReadFixed64(&info.max_number.value) ||
      !ReadTimestamp(in, &info.created_at) || !in.ReadVarint64(&info.cells) ||
      !in.ReadVarint64(&info.deletes) ||
      !in.ReadVarint64(&info.family_deletes) ||
      !in.ReadVarint64(&info.tagged_cells) ||
      !in.ReadVarint64(&info.key_bytes) ||
      !in.ReadVarint64(&info.value_bytes) ||
      !in.ReadVarint64(&info.data_blocks) || !ReadCodes(in, &info) ||
      in.remaining() != 0) {
    return absl::DataLossError(absl::StrCat("bad file info at byte ",
                                            in.offset(), " of ", block.size()));
  }
  return info;
}

}  // namespace shale
