#include "shale/tools/shale/import_row.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/tools/console/printed_value.h"
#include "shale/tools/console/timestamp_text.h"

namespace shale {

absl::StatusOr<RowMutation> MutationOfLine(
    absl::Span<const ImportField> format,
    absl::Span<const absl::string_view> fields, Timestamp timestamp) {
  using Kind = ImportField::Kind;
  if (fields.size() != format.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        CountOf(fields.size(), "field"), ", want ", format.size()));
  }
  absl::string_view row;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i].kind == Kind::kRow) row = fields[i];
    if (format[i].kind == Kind::kTimestamp) {
      SHALE_ASSIGN_OR_RETURN(timestamp, ParseTimestamp(fields[i]));
    }
  }
  if (row.empty()) return absl::InvalidArgumentError("the row key is empty");
  RowMutation mutation(row);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i].kind != Kind::kCell) continue;
    const ColumnName& column = format[i].column;
    mutation.Put(column.family, *column.qualifier, fields[i], timestamp);
  }
  return mutation;
}

}  // namespace shale
