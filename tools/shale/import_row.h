#ifndef SHALE_TOOLS_SHALE_IMPORT_ROW_H_
#define SHALE_TOOLS_SHALE_IMPORT_ROW_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/cell/timestamp.h"
#include "shale/region/row_mutation.h"
#include "shale/tools/shale/column_spec.h"

namespace shale {

// The write that a line of an imported file asks for: `fields` holds what
// `format` says. An empty field is an empty value. `timestamp` is for lines
// without a TS_KEY. INVALID_ARGUMENT says what is wrong with the line: too few
// or too many fields, an empty row, no timestamp where one should be.
absl::StatusOr<RowMutation> MutationOfLine(
    absl::Span<const ImportField> format,
    absl::Span<const absl::string_view> fields, Timestamp timestamp);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_IMPORT_ROW_H_
