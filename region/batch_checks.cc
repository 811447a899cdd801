#include "shale/region/batch_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/tags.h"

namespace shale {
namespace {

absl::Status CheckRow(const RegionSchema& schema, absl::string_view row) {
  if (row.empty()) return absl::InvalidArgumentError("the row is empty");
  if (row.size() > kMaxRowBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the row has ", row.size(), " bytes, at most ", kMaxRowBytes));
  }
  if (row < schema.start_row ||
      (!schema.end_row.empty() && row >= schema.end_row)) {
    return absl::OutOfRangeError(absl::StrCat(
        "row ", EscapeBytes(row), " is not in region ", schema.name, " [",
        EscapeBytes(schema.start_row), ", ", EscapeBytes(schema.end_row), ")"));
  }
  return absl::OkStatus();
}

absl::Status CheckColumn(const RegionSchema& schema, absl::string_view family,
                         absl::string_view qualifier) {
  if (!FindFamily(schema, family).has_value()) {
    return absl::NotFoundError(absl::StrCat("region ", schema.name,
                                            " has no column family '",
                                            EscapeBytes(family), "'"));
  }
  if (qualifier.size() > kMaxQualifierBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the qualifier has ", qualifier.size(), " bytes, at most ",
                     kMaxQualifierBytes));
  }
  return absl::OkStatus();
}

absl::Status CheckRange(TimeRange range) {
  if (range.min >= 0 && range.min <= range.max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("time range [", range.min, ", ", range.max, ") is none"));
}

absl::Status CheckTimestamp(const RegionOptions& options, const Edit& edit,
                            Timestamp now) {
  if (edit.timestamp < kMinTimestamp) {
    return absl::InvalidArgumentError(
        absl::StrCat("timestamp ", edit.timestamp, " is negative"));
  }
  if (edit.timestamp == kLatestTimestamp) {
    if (edit.kind == CellKind::kDelete ||
        edit.kind == CellKind::kDeleteFamilyVersion) {
      return absl::InvalidArgumentError(
          "the delete of one version needs its timestamp");
    }
  } else if (options.timestamp_slop != absl::InfiniteDuration()) {
    // A clock before 1970 counts as there, as for the sequencers; so the
    // difference of two timestamps is one.
    const Timestamp ahead = edit.timestamp - std::max(now, kMinTimestamp);
    const int64_t slop = absl::ToInt64Microseconds(options.timestamp_slop);
    if (ahead > slop) {
      return absl::InvalidArgumentError(
          absl::StrCat("timestamp ", edit.timestamp, " is ", ahead,
                       " us ahead of the clock, at most ", slop));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEdit(const RegionSchema& schema, const RegionOptions& options,
                       const RowMutation& mutation, const Edit& edit,
                       Timestamp now) {
  if (!edit.all_families) {
    SHALE_RETURN_IF_ERROR(CheckColumn(schema, edit.family, edit.qualifier));
  }
  SHALE_RETURN_IF_ERROR(CheckTimestamp(options, edit, now));
  if (edit.source != ValueSource::kGiven) {
    SHALE_RETURN_IF_ERROR(CheckRange(edit.old_range));
  }
  if (!edit.tags.empty()) {
    const absl::Status parsed = ParseTags(edit.tags).status();
    if (!parsed.ok()) return absl::InvalidArgumentError(parsed.message());
  }
  return CheckCellBytes(options, mutation.row(), edit, edit.value, edit.tags);
}

absl::Status CheckLevel(Durability level) {
  if (IsDurability(level)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("unknown durability ", static_cast<int>(level)));
}

}  // namespace

std::optional<size_t> FindFamily(const RegionSchema& schema,
                                 absl::string_view name) {
  for (size_t id = 0; id < schema.families.size(); ++id) {
    if (schema.families[id].name == name) return id;
  }
  return std::nullopt;
}

Durability HighestDurability(const MutationBatch& batch, Durability otherwise) {
  const auto level = [](Durability given, Durability by_default) {
    const bool states_one =
        given != Durability::kDefault && IsDurability(given);
    return states_one ? given : by_default;
  };
  const Durability of_batch = level(batch.durability, otherwise);
  if (batch.mutations.empty()) return of_batch;
  Durability highest = Durability::kDefault;
  for (const RowMutation& mutation : batch.mutations) {
    highest = std::max(highest, level(mutation.durability(), of_batch));
  }
  return highest;
}

absl::Status CheckBatch(const RegionSchema& schema,
                        const MutationBatch& batch) {
  SHALE_RETURN_IF_ERROR(CheckLevel(batch.durability));
  if (batch.nonce.nonce != 0 && !batch.atomic && batch.mutations.size() > 1) {
    return absl::InvalidArgumentError(
        "a nonce for many mutations, and the batch isn't atomic");
  }
  if (!batch.check.has_value()) return absl::OkStatus();
  if (batch.mutations.size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a check with ", batch.mutations.size(), " mutations, it needs one"));
  }
  const std::string& row = batch.mutations.front().row();
  if (batch.check->row != row) {
    return absl::InvalidArgumentError(
        absl::StrCat("the check is of row ", EscapeBytes(batch.check->row),
                     ", the mutation of row ", EscapeBytes(row)));
  }
  if (batch.check->conditions.empty()) {
    return absl::InvalidArgumentError("a check without a condition");
  }
  for (const ColumnCondition& condition : batch.check->conditions) {
    SHALE_RETURN_IF_ERROR(
        CheckColumn(schema, condition.family, condition.qualifier));
    SHALE_RETURN_IF_ERROR(CheckRange(condition.time_range));
    if (!IsComparison(condition.comparison)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown comparison ", static_cast<int>(condition.comparison)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMutation(const RegionSchema& schema,
                           const RegionOptions& options,
                           const RowMutation& mutation, Timestamp now) {
  SHALE_RETURN_IF_ERROR(CheckRow(schema, mutation.row()));
  SHALE_RETURN_IF_ERROR(CheckLevel(mutation.durability()));
  if (mutation.edits().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "row ", EscapeBytes(mutation.row()), ": nothing to change"));
  }
  for (const Edit& edit : mutation.edits()) {
    SHALE_RETURN_IF_ERROR(CheckEdit(schema, options, mutation, edit, now));
  }
  return absl::OkStatus();
}

absl::Status CheckCellBytes(const RegionOptions& options, absl::string_view row,
                            const Edit& edit, absl::string_view value,
                            absl::string_view tags) {
  const size_t bytes = row.size() + edit.qualifier.size() + value.size() +
                       tags.size() + kCellKeySuffixBytes;
  if (bytes <= options.max_cell_bytes) return absl::OkStatus();
  const std::string column =
      edit.all_families ? ""
                        : absl::StrCat(", column ", EscapeBytes(edit.family),
                                       ":", EscapeBytes(edit.qualifier));
  return absl::InvalidArgumentError(
      absl::StrCat("row ", EscapeBytes(row), column, ": a cell of ", bytes,
                   " bytes, at most ", options.max_cell_bytes));
}

}  // namespace shale
