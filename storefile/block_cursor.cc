#include "shale/storefile/block_cursor.h"

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"

namespace shale {

struct BlockCursor::Lengths {
  uint64_t shared = 0;
  uint64_t unshared = 0;
  uint64_t value = 0;
  uint64_t tags = 0;
  size_t key_offset = 0;  // Where the unshared part of the key begins.
};

absl::Status BlockCursor::Reset(absl::string_view block) {
  valid_ = false;
  if (block.size() < sizeof(uint32_t)) {
    return absl::DataLossError(
        absl::StrCat("block of ", block.size(), " bytes"));
  }
  const size_t before_count = block.size() - sizeof(uint32_t);
  const uint32_t restarts = DecodeFixed32(block.data() + before_count);
  if (restarts == 0 || restarts > before_count / sizeof(uint32_t)) {
    return absl::DataLossError(absl::StrCat(
        restarts, " restart points in a block of ", block.size(), " bytes"));
  }
  entries_ = block.substr(0, before_count - restarts * sizeof(uint32_t));
  restart_offsets_ = entries_.data() + entries_.size();
  restarts_ = restarts;
  return absl::OkStatus();
}

absl::StatusOr<absl::string_view> BlockCursor::RestartKey(
    size_t restart) const {
  const size_t offset = RestartOffset(restart);
  Lengths lengths;
  if (!ReadLengths(offset, &lengths)) {
    return BadEntry(offset, "bad lengths at a restart point");
  }
  const absl::string_view key =
      entries_.substr(lengths.key_offset, lengths.unshared);
  if (lengths.shared != 0 || !IsComparableCellKey(key)) {
    return BadEntry(offset, "bad key at a restart point");
  }
  return key;
}

absl::StatusOr<size_t> BlockCursor::LastRestart(absl::string_view key,
                                                int limit) const {
  // Below `low`, restarts 1 and later are such; from `high` on none is.
  size_t low = 1, high = restarts_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    SHALE_ASSIGN_OR_RETURN(const absl::string_view found, RestartKey(middle));
    if (CompareCellKeys(found, key) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

absl::Status BlockCursor::SeekToRestart(size_t restart) {
  key_.clear();
  return MoveTo(RestartOffset(restart));
}

absl::Status BlockCursor::Seek(absl::string_view key) {
  // Not one with the key itself: equal ones may come before it.
  const absl::StatusOr<size_t> restart = LastRestart(key, 0);
  if (!restart.ok()) {
    valid_ = false;
    return restart.status();
  }
  // Going on from here is shorter if the restart point lies behind.
  const bool go_on = valid_ && RestartOffset(*restart) <= entry_ &&
                     CompareCellKeys(key_, key) < 0;
  if (!go_on) SHALE_RETURN_IF_ERROR(SeekToRestart(*restart));
  while (valid_ && CompareCellKeys(key_, key) < 0) {
    SHALE_RETURN_IF_ERROR(Next());
  }
  return absl::OkStatus();
}

absl::Status BlockCursor::Next() {
  SHALE_CHECK(valid_);
  if (next_ == entries_.size()) {
    valid_ = false;
    return absl::OkStatus();
  }
  return MoveTo(next_);
}

size_t BlockCursor::RestartOffset(size_t restart) const {
  return DecodeFixed32(restart_offsets_ + restart * sizeof(uint32_t));
}

bool BlockCursor::ReadLengths(size_t offset, Lengths* lengths) const {
  if (offset >= entries_.size()) return false;
  Decoder in(entries_.substr(offset));
  uint64_t value_and_tags;
  if (!in.ReadVarint64(&lengths->shared) ||
      !in.ReadVarint64(&lengths->unshared) ||
      !in.ReadVarint64(&value_and_tags)) {
    return false;
  }
  lengths->value = value_and_tags >> 1;
  if (value_and_tags & 1) {
    if (!in.ReadVarint64(&lengths->tags) || lengths->tags == 0) return false;
  }
  lengths->key_offset = offset + in.offset();
  // Each by itself first, as their sum may overflow.
  const uint64_t left = in.remaining();
  return lengths->unshared <= left && lengths->value <= left &&
         lengths->tags <= left &&
         lengths->unshared + lengths->value + lengths->tags <= left;
}

absl::Status BlockCursor::MoveTo(size_t offset) {
  valid_ = false;
  Lengths lengths;
  if (!ReadLengths(offset, &lengths)) return BadEntry(offset, "bad lengths");
  if (lengths.shared > key_.size()) {
    return BadEntry(offset, "key shares more than there is");
  }
  key_.resize(lengths.shared);
  key_.append(entries_.data() + lengths.key_offset, lengths.unshared);
  if (!IsComparableCellKey(key_)) return BadEntry(offset, "bad key");
  const size_t value_offset = lengths.key_offset + lengths.unshared;
  value_ = entries_.substr(value_offset, lengths.value);
  tags_ = entries_.substr(value_offset + lengths.value, lengths.tags);
  entry_ = offset;
  next_ = value_offset + lengths.value + lengths.tags;
  valid_ = true;
  return absl::OkStatus();
}

absl::Status BlockCursor::BadEntry(size_t offset,
                                   absl::string_view what) const {
  return absl::DataLossError(
      absl::StrCat(what, ": entry at byte ", offset, " of ", entries_.size()));
}

}  // namespace shale
