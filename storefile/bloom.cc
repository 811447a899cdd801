#include "shale/storefile/bloom.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

constexpr int kMaxProbes = 30;
// With fewer bits, probes that stand in arithmetic progression show: the rate
// of false positives was measured at up to twenty times the wanted one.
constexpr size_t kMinBitsBytes = 64;

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Calls visit(bit) for each probe of `hash` in a filter of `bits` bits, until
// it returns false; returns whether it never did.
template <typename Visit>
bool ForEachProbe(uint64_t hash, int probes, uint64_t bits, Visit visit) {
  uint32_t h = static_cast<uint32_t>(hash);
  const uint32_t step = static_cast<uint32_t>(hash >> 32) | 1;
  for (int i = 0; i < probes; ++i, h += step) {
    if (!visit((h * bits) >> 32)) return false;
  }
  return true;
}

}  // namespace

uint64_t BloomHash(absl::string_view bytes) {
  uint64_t h = Mix(0x9e3779b97f4a7c15 + bytes.size());
  while (bytes.size() >= 8) {
    h = Mix(h ^ DecodeFixed64(bytes.data()));
    bytes.remove_prefix(8);
  }
  if (bytes.empty()) return h;
  char last[8] = {};
  std::copy(bytes.begin(), bytes.end(), last);
  return Mix(h ^ DecodeFixed64(last));
}

absl::string_view BloomPrefix(BloomKind kind, absl::string_view key) {
  SHALE_CHECK(kind != BloomKind::kNone);
  if (kind == BloomKind::kRowColumn) {
    return key.substr(0, key.size() - kCellKeySuffixBytes);
  }
  const absl::string_view row = CellKeyRow(key);
  return key.substr(0, row.data() + row.size() - key.data());
}

std::string BloomSeekKey(BloomKind kind, absl::string_view key) {
  SHALE_CHECK(kind != BloomKind::kNone);
  const absl::string_view row = CellKeyRow(key);
  return kind == BloomKind::kRow ? FirstKeyOfRow(row)
                                 : FirstKeyOfColumn(row, CellKeyQualifier(key));
}

BloomShape BloomShapeFor(double error_rate) {
  SHALE_CHECK(error_rate > 0 && error_rate < 1) << error_rate;
  BloomShape shape;
  shape.bits_per_key = -std::log(error_rate) / (M_LN2 * M_LN2);
  shape.probes = std::clamp(
      static_cast<int>(std::lround(shape.bits_per_key * M_LN2)), 1, kMaxProbes);
  return shape;
}

std::string BuildBloomChunk(absl::Span<const uint64_t> hashes,
                            const BloomShape& shape) {
  const size_t bytes = static_cast<size_t>(
      std::ceil(static_cast<double>(hashes.size()) * shape.bits_per_key / 8));
  std::string chunk(1 + std::max(kMinBitsBytes, bytes), '\0');
  chunk[0] = static_cast<char>(shape.probes);
  char* bits = chunk.data() + 1;
  for (const uint64_t hash : hashes) {
    ForEachProbe(hash, shape.probes, 8 * (chunk.size() - 1), [&](uint64_t bit) {
      bits[bit / 8] |= static_cast<char>(1 << (bit % 8));
      return true;
    });
  }
  return chunk;
}

absl::StatusOr<bool> BloomChunkMayContain(absl::string_view chunk,
                                          uint64_t hash) {
  const int probes = chunk.empty() ? 0 : static_cast<uint8_t>(chunk[0]);
  const uint64_t bits = chunk.empty() ? 0 : 8 * (chunk.size() - 1);
  if (probes < 1 || probes > kMaxProbes || bits < 8 * kMinBitsBytes ||
      bits >> 32 != 0) {
    return absl::DataLossError(absl::StrCat("bloom chunk of ", chunk.size(),
                                            " bytes with ", probes, " probes"));
  }
  return ForEachProbe(hash, probes, bits, [&](uint64_t bit) {
    return (static_cast<uint8_t>(chunk[1 + bit / 8]) >> (bit % 8) & 1) != 0;
  });
}

}  // namespace shale
