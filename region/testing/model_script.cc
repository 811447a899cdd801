#include "shale/region/testing/model_script.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "shale/base/escape.h"
#include "shale/cell/cell_kind.h"

namespace shale {
namespace {

std::string TimestampText(Timestamp timestamp) {
  return timestamp == kLatestTimestamp ? "now" : absl::StrCat(timestamp);
}

std::string EditText(const Edit& edit) {
  std::string text =
      edit.all_families
          ? std::string("delete_row")
          : absl::StrCat(CellKindName(edit.kind), " ", EscapeBytes(edit.family),
                         ":", EscapeBytes(edit.qualifier));
  if (edit.source == ValueSource::kIncrement) {
    absl::StrAppend(&text, " += ", edit.delta);
  } else if (edit.source == ValueSource::kAppend) {
    absl::StrAppend(&text, " append");
  }
  if (!edit.old_range.all()) {
    absl::StrAppend(&text, " of [", edit.old_range.min, ", ",
                    edit.old_range.max, ")");
  }
  absl::StrAppend(&text, "@", TimestampText(edit.timestamp));
  if (edit.value.size() > 20) {
    absl::StrAppend(&text, " (", edit.value.size(), " bytes)");
  } else if (!edit.value.empty()) {
    absl::StrAppend(&text, " ", EscapeBytes(edit.value));
  }
  return text;
}

absl::string_view DurabilityName(Durability durability) {
  switch (durability) {
    case Durability::kDefault:
      return "default";
    case Durability::kSkipWal:
      return "skip_wal";
    case Durability::kAsyncWal:
      return "async_wal";
    case Durability::kSyncWal:
      return "sync_wal";
    case Durability::kFsyncWal:
      return "fsync_wal";
  }
  return "?";
}

std::string RowText(const std::string& row) {
  if (row.size() <= 20) return EscapeBytes(row);
  return absl::StrCat("(", row.size(), " bytes)");
}

std::string ConditionText(const ColumnCondition& condition) {
  static constexpr const char* kSigns[] = {
      "==", "!=", "<", "<=", ">", ">=", "absent"};
  return absl::StrCat(EscapeBytes(condition.value), " ",
                      kSigns[static_cast<int>(condition.comparison)], " ",
                      condition.family, ":", EscapeBytes(condition.qualifier),
                      " of [", condition.time_range.min, ", ",
                      TimestampText(condition.time_range.max), ")");
}

std::string BatchText(const MutationBatch& batch) {
  std::string text = absl::StrCat(batch.atomic ? "atomic " : "",
                                  DurabilityName(batch.durability));
  if (batch.check.has_value()) {
    for (const ColumnCondition& condition : batch.check->conditions) {
      absl::StrAppend(&text, " if ", ConditionText(condition));
    }
  }
  for (const RowMutation& mutation : batch.mutations) {
    absl::StrAppend(&text, " [", RowText(mutation.row()), ": ",
                    absl::StrJoin(mutation.edits(), ", ",
                                  [](std::string* out, const Edit& edit) {
                                    absl::StrAppend(out, EditText(edit));
                                  }),
                    "]");
  }
  return text;
}

std::string OptionsText(const ReadOptions& options) {
  std::string text = absl::StrCat(", ", options.max_versions, " versions");
  for (const ColumnSelection& columns : options.columns) {
    absl::StrAppend(&text, ", ", EscapeBytes(columns.family), ":{",
                    absl::StrJoin(columns.qualifiers, ","), "}");
  }
  if (!options.time_range.all()) {
    absl::StrAppend(&text, ", times [", options.time_range.min, ", ",
                    TimestampText(options.time_range.max), ")");
  }
  if (options.isolation == IsolationLevel::kReadUncommitted) {
    absl::StrAppend(&text, ", uncommitted");
  }
  return text;
}

std::string ScanRequestText(const Scan& scan) {
  return absl::StrCat(scan.include_start ? "[" : "(",
                      EscapeBytes(scan.start_row), ", ",
                      EscapeBytes(scan.stop_row), scan.include_stop ? "]" : ")",
                      OptionsText(scan.options), ", row_limit ", scan.row_limit,
                      ", batch_cells ", scan.batch_cells);
}

std::string FamilyText(const ColumnFamilyOptions& family) {
  const RetentionRules& rules = family.retention;
  return absl::StrCat(
      "family ", family.name, ": ",
      rules.delete_rule == DeleteRule::kSequence ? "sequence" : "timestamp",
      ", max_versions ", rules.max_versions, ", min_versions ",
      rules.min_versions, ", ttl ", absl::FormatDuration(rules.ttl),
      ", block_bytes ", family.block_bytes, ", compression ",
      static_cast<int>(family.compression), ", bloom ",
      static_cast<int>(family.bloom), "\n");
}

}  // namespace

size_t ModelStep::operations() const {
  if (kind == Kind::kAdvance || kind == Kind::kFinishScanner ||
      kind == Kind::kDropScanner) {
    return 0;
  }
  return std::max<size_t>(batch.mutations.size(), 1);
}

std::string ModelStep::ToString() const {
  switch (kind) {
    case Kind::kApply:
      return absl::StrCat("apply ", BatchText(batch));
    case Kind::kGet:
      return absl::StrCat("get ", EscapeBytes(get.row),
                          OptionsText(get.options));
    case Kind::kScan:
      return absl::StrCat("scan ", ScanRequestText(scan));
    case Kind::kOpenScanner:
      return absl::StrCat("open scanner ", ScanRequestText(scan));
    case Kind::kFinishScanner:
      return "finish scanner";
    case Kind::kAdvance:
      return absl::StrCat("advance ", absl::FormatDuration(advance));
    case Kind::kFlush:
      return "flush";
    case Kind::kCompact:
      return "compact";
    case Kind::kReopen:
      return "reopen";
    case Kind::kDropScanner:
      return "drop scanner";
    case Kind::kCrash:
      return absl::StrCat("crash after ", BatchText(batch));
  }
  return "?";
}

size_t ModelScript::operations() const {
  size_t operations = 0;
  for (const ModelStep& step : steps) operations += step.operations();
  return operations;
}

ModelScript ModelScript::Keep(const std::vector<size_t>& indices) const {
  ModelScript kept{schema, options, start, {}};
  for (const size_t index : indices) kept.steps.push_back(steps[index]);
  return kept;
}

std::string ModelScript::ToString() const {
  std::string text = absl::StrCat("rows [", EscapeBytes(schema.start_row), ", ",
                                  EscapeBytes(schema.end_row), "), clock at ",
                                  absl::ToUnixMicros(start), "\n");
  for (const ColumnFamilyOptions& family : schema.families) {
    absl::StrAppend(&text, FamilyText(family));
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    absl::StrAppend(&text, i, " ", steps[i].ToString(), "\n");
  }
  return text;
}

ModelScript WithoutMaintenance(const ModelScript& script) {
  using Kind = ModelStep::Kind;
  ModelScript rest = script;
  for (ModelStep& step : rest.steps) {
    if (step.kind == Kind::kFlush || step.kind == Kind::kCompact) {
      step = {Kind::kAdvance};
    } else if (step.kind == Kind::kReopen) {
      step = {Kind::kDropScanner};
    }
  }
  return rest;
}

}  // namespace shale
