#include "shale/region/row_update.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cell/tags.h"

namespace shale {
namespace {

constexpr size_t kCounterBytes = 8;

absl::StatusOr<std::string> Sum(const Edit& edit,
                                const std::optional<Cell>& old) {
  uint64_t value = 0;
  if (old.has_value()) {
    if (old->value.size() != kCounterBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "row ", EscapeBytes(old->row), ": ", EscapeBytes(edit.family), ":",
          EscapeBytes(edit.qualifier), " has ", old->value.size(),
          " bytes, a counter has ", kCounterBytes));
    }
    value = DecodeBigEndian64(old->value.data());
  }
  std::string sum;
  // Unsigned, so that it wraps around.
  PutBigEndian64(&sum, value + static_cast<uint64_t>(edit.delta));
  return sum;
}

// Those of the edit, then of the old cell those of other types: carried on, a
// tag is never doubled.
absl::StatusOr<std::string> CarryTags(absl::string_view given,
                                      absl::string_view old) {
  if (old.empty() || given == old) return std::string(given);
  if (given.empty()) return std::string(old);
  SHALE_ASSIGN_OR_RETURN(const TagList given_tags, ParseTags(given));
  SHALE_ASSIGN_OR_RETURN(const TagList old_tags, ParseTags(old));
  std::string tags(given);
  for (const Tag& tag : old_tags) {
    const bool replaced =
        std::any_of(given_tags.begin(), given_tags.end(),
                    [&](const Tag& by) { return by.type == tag.type; });
    if (!replaced) AppendTag(tag, &tags);
  }
  return tags;
}

}  // namespace

absl::StatusOr<std::optional<UpdatedCell>> UpdateCell(
    const Edit& edit, const std::optional<Cell>& old, bool same_commit,
    Timestamp commit_timestamp) {
  UpdatedCell updated;
  if (edit.source == ValueSource::kIncrement) {
    SHALE_ASSIGN_OR_RETURN(updated.value, Sum(edit, old));
    if (edit.delta == 0) return std::nullopt;
  } else {
    if (old.has_value()) updated.value = old->value;
    updated.value += edit.value;
  }
  updated.timestamp = commit_timestamp;
  updated.tags = edit.tags;
  if (old.has_value()) {
    // Nor can the largest timestamp of all be exceeded: of equal ones the
    // larger number wins.
    const Timestamp least = same_commit || old->timestamp >= kMaxTimestamp - 1
                                ? old->timestamp
                                : old->timestamp + 1;
    updated.timestamp = std::max(updated.timestamp, least);
    SHALE_ASSIGN_OR_RETURN(updated.tags, CarryTags(edit.tags, old->tags));
  }
  return updated;
}

bool Holds(const ColumnCondition& condition,
           const std::optional<Cell>& stored) {
  if (condition.comparison == Comparison::kNotExists) {
    return !stored.has_value();
  }
  const absl::string_view value =
      stored.has_value() ? absl::string_view(stored->value) : "";
  const int order = absl::string_view(condition.value).compare(value);
  switch (condition.comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kNotEqual:
      return order != 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterOrEqual:
      return order >= 0;
    case Comparison::kNotExists:
      break;
  }
  return false;
}

}  // namespace shale
