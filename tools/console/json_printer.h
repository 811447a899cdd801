#ifndef SHALE_TOOLS_CONSOLE_JSON_PRINTER_H_
#define SHALE_TOOLS_CONSOLE_JSON_PRINTER_H_

#include <memory>
#include <ostream>

#include "absl/status/statusor.h"
#include "shale/tools/console/printer.h"

namespace shale {

// Results for programs: a table's row, or a record, is one JSON object on a
// line of its own, its keys in the order of the columns; what has no value is
// left out. Text is ASCII: other bytes are escaped as `\xNN` (base/escape.h),
// before JSON's own escapes. `out` outlives the printer. UNIMPLEMENTED if the
// JSON library was missing when this was built.
absl::StatusOr<std::unique_ptr<Printer>> NewJsonPrinter(std::ostream& out);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_JSON_PRINTER_H_
