#include "shale/storefile/bloom_builder.h"

#include <algorithm>

#include "shale/base/status_macros.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/separator.h"

namespace shale {
namespace {

// Small enough to be read for one lookup, large enough that the index over all
// chunks stays small: 54,000 keys at 1 % error.
constexpr size_t kChunkBytes = 64 << 10;

}  // namespace

BloomBuilder::BloomBuilder(BloomKind kind, double error_rate,
                           size_t index_block_bytes, BlockWriter& writer)
    : kind_(kind),
      shape_(BloomShapeFor(error_rate)),
      keys_per_chunk_(
          static_cast<size_t>(8 * kChunkBytes / shape_.bits_per_key)),
      writer_(writer),
      index_(index_block_bytes, writer) {}

absl::Status BloomBuilder::Add(absl::string_view key_before,
                               absl::string_view key) {
  if (kind_ == BloomKind::kNone) return absl::OkStatus();
  const absl::string_view prefix = BloomPrefix(kind_, key);
  if (!key_before.empty() && BloomPrefix(kind_, key_before) == prefix) {
    return absl::OkStatus();
  }
  if (hashes_.size() >= keys_per_chunk_) SHALE_RETURN_IF_ERROR(EndChunk());
  if (hashes_.empty()) separator_ = ShortestSeparator(key_before, key);
  hashes_.push_back(BloomHash(prefix));
  return absl::OkStatus();
}

absl::Status BloomBuilder::FinishLowerLevels() {
  if (!hashes_.empty()) SHALE_RETURN_IF_ERROR(EndChunk());
  return index_.FinishLowerLevels();
}

absl::Status BloomBuilder::EndChunk() {
  SHALE_ASSIGN_OR_RETURN(
      const BlockHandle handle,
      writer_.Write(BlockKind::kBloom, BuildBloomChunk(hashes_, shape_)));
  hashes_.clear();
  return index_.Add(separator_, handle);
}

}  // namespace shale
