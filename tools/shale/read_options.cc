#include "shale/tools/shale/read_options.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/flags.h"

namespace shale {
namespace {

// A family named as a whole swallows its columns.
absl::StatusOr<std::vector<ColumnSelection>> Select(
    absl::Span<const std::string> columns) {
  std::map<std::string, std::vector<std::string>> chosen;
  std::map<std::string, bool> whole;
  for (const std::string& text : columns) {
    SHALE_ASSIGN_OR_RETURN(ColumnName column, ParseColumnName(text));
    std::vector<std::string>& qualifiers = chosen[column.family];
    if (column.qualifier.has_value()) {
      qualifiers.push_back(*std::move(column.qualifier));
    } else {
      whole[column.family] = true;
    }
  }
  std::vector<ColumnSelection> selections;
  for (auto& [family, qualifiers] : chosen) {
    if (whole[family]) qualifiers.clear();
    selections.push_back({family, std::move(qualifiers)});
  }
  return selections;
}

absl::StatusOr<std::string> RowFromFlag(absl::string_view flag,
                                        const std::string& text) {
  absl::StatusOr<std::string> row = UnescapeBytes(text);
  if (row.ok()) return row;
  return Annotate(row.status(), absl::StrCat("--", flag));
}

}  // namespace

absl::StatusOr<ReadOptions> ReadOptionsFromFlags(
    absl::Span<const std::string> columns) {
  ReadOptions options;
  SHALE_ASSIGN_OR_RETURN(options.columns, Select(columns));
  SHALE_ASSIGN_OR_RETURN(options.time_range, TimeRangeFromFlags());
  if (FLAGS_versions < 1) {
    return absl::InvalidArgumentError("--versions must be at least 1");
  }
  options.max_versions = FLAGS_versions;
  return options;
}

absl::StatusOr<Scan> ScanFromFlags() {
  Scan scan;
  const std::vector<std::string> columns =
      absl::StrSplit(FLAGS_columns, ',', absl::SkipEmpty());
  SHALE_ASSIGN_OR_RETURN(scan.options, ReadOptionsFromFlags(columns));
  SHALE_ASSIGN_OR_RETURN(scan.start_row, RowFromFlag("start", FLAGS_start));
  SHALE_ASSIGN_OR_RETURN(scan.stop_row, RowFromFlag("stop", FLAGS_stop));
  if (!scan.stop_row.empty() && scan.start_row > scan.stop_row) {
    return absl::InvalidArgumentError("--start is after --stop");
  }
  if (FLAGS_limit < 0) {
    return absl::InvalidArgumentError("--limit must not be negative");
  }
  scan.row_limit = FLAGS_limit;
  // A tool reads what it reads once.
  scan.options.fill = CacheFill::kNoFill;
  return scan;
}

}  // namespace shale
