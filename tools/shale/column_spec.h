// Columns as people name them on a command line.
#ifndef SHALE_TOOLS_SHALE_COLUMN_SPEC_H_
#define SHALE_TOOLS_SHALE_COLUMN_SPEC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// "ucd:name", or "ucd" for a family as a whole. The empty qualifier is "ucd:".
struct ColumnName {
  std::string family;
  std::optional<std::string> qualifier;

  friend bool operator==(const ColumnName&, const ColumnName&) = default;
};

// Family and qualifier are bytes escaped as by EscapeBytes(). INVALID_ARGUMENT
// for an empty family and for a bad escape.
absl::StatusOr<ColumnName> ParseColumnName(absl::string_view text);

// The same of a column that is written, so with a qualifier: INVALID_ARGUMENT
// for a family alone.
absl::StatusOr<ColumnName> ParseWholeColumnName(absl::string_view text);

// The inverse: escaped, and with a colon if there is a qualifier.
std::string ColumnText(const ColumnName& column);

// What becomes of a field of an imported line.
struct ImportField {
  enum class Kind { kIgnore, kRow, kTimestamp, kCell };
  Kind kind = Kind::kIgnore;
  ColumnName column;  // For kCell; with a qualifier.

  friend bool operator==(const ImportField&, const ImportField&) = default;
};

// The fields of a line, in order, as in HBase's ImportTsv:
//   ROW_KEY       the row; exactly one field
//   TS_KEY        the timestamp of the line's cells; at most one
//   FAMILY:QUAL   a cell; at least one, and none twice. FAMILY alone is
//                 refused: it may be a misspelt ROW_KEY
//   (empty)       the field is ignored
// separated by commas (a comma in a name is `\x2c`). HBASE_ROW_KEY and
// HBASE_TS_KEY are understood too. INVALID_ARGUMENT says what is wrong.
absl::StatusOr<std::vector<ImportField>> ParseImportFields(
    absl::string_view text);

// The fields' families, each once, in order of appearance.
std::vector<std::string> FamiliesOf(const std::vector<ImportField>& fields);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_COLUMN_SPEC_H_
