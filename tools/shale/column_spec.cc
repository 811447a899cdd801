#include "shale/tools/shale/column_spec.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"

namespace shale {
namespace {

absl::StatusOr<ImportField> ParseImportField(absl::string_view text) {
  using Kind = ImportField::Kind;
  if (text.empty()) return ImportField{Kind::kIgnore, {}};
  if (text == "ROW_KEY" || text == "HBASE_ROW_KEY") {
    return ImportField{Kind::kRow, {}};
  }
  if (text == "TS_KEY" || text == "HBASE_TS_KEY") {
    return ImportField{Kind::kTimestamp, {}};
  }
  SHALE_ASSIGN_OR_RETURN(ColumnName column, ParseWholeColumnName(text));
  return ImportField{Kind::kCell, std::move(column)};
}

}  // namespace

absl::StatusOr<ColumnName> ParseColumnName(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  const auto unescape =
      [text](absl::string_view part) -> absl::StatusOr<std::string> {
    absl::StatusOr<std::string> bytes = UnescapeBytes(part);
    if (bytes.ok()) return bytes;
    return Annotate(bytes.status(), absl::StrCat("column \"", text, "\""));
  };
  ColumnName column;
  SHALE_ASSIGN_OR_RETURN(column.family, unescape(parts.first));
  if (column.family.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "column \"", text, "\" has no family; want FAMILY:QUALIFIER"));
  }
  if (parts.first.size() < text.size()) {
    SHALE_ASSIGN_OR_RETURN(column.qualifier, unescape(parts.second));
  }
  return column;
}

absl::StatusOr<ColumnName> ParseWholeColumnName(absl::string_view text) {
  SHALE_ASSIGN_OR_RETURN(ColumnName column, ParseColumnName(text));
  if (column.qualifier.has_value()) return column;
  return absl::InvalidArgumentError(absl::StrCat(
      "column \"", text, "\" has no qualifier; want FAMILY:QUALIFIER, or \"",
      text, ":\" for the empty one"));
}

std::string ColumnText(const ColumnName& column) {
  std::string text = EscapeBytes(column.family);
  if (column.qualifier.has_value()) {
    absl::StrAppend(&text, ":", EscapeBytes(*column.qualifier));
  }
  return text;
}

absl::StatusOr<std::vector<ImportField>> ParseImportFields(
    absl::string_view text) {
  using Kind = ImportField::Kind;
  std::vector<ImportField> fields;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    SHALE_ASSIGN_OR_RETURN(ImportField field, ParseImportField(part));
    if (field.kind != Kind::kIgnore && absl::c_linear_search(fields, field)) {
      return absl::InvalidArgumentError(
          absl::StrCat("column ", part, " is there twice"));
    }
    fields.push_back(std::move(field));
  }
  const auto count = [&fields](Kind kind) {
    return absl::c_count_if(
        fields, [kind](const ImportField& f) { return f.kind == kind; });
  };
  if (count(Kind::kRow) == 0) {
    return absl::InvalidArgumentError("no column is the ROW_KEY");
  }
  if (count(Kind::kCell) == 0) {
    return absl::InvalidArgumentError("no column is a FAMILY:QUALIFIER");
  }
  return fields;
}

std::vector<std::string> FamiliesOf(const std::vector<ImportField>& fields) {
  std::vector<std::string> families;
  for (const ImportField& field : fields) {
    if (field.kind == ImportField::Kind::kCell &&
        !absl::c_linear_search(families, field.column.family)) {
      families.push_back(field.column.family);
    }
  }
  return families;
}

}  // namespace shale
