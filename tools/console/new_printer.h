#ifndef SHALE_TOOLS_CONSOLE_NEW_PRINTER_H_
#define SHALE_TOOLS_CONSOLE_NEW_PRINTER_H_

#include <memory>
#include <ostream>

#include "absl/status/statusor.h"
#include "gflags/gflags_declare.h"
#include "shale/tools/console/printer.h"

DECLARE_string(format);

namespace shale {

// The printer that --format names. INVALID_ARGUMENT for any other word,
// UNIMPLEMENTED for json in a build without it. `out` outlives the printer.
absl::StatusOr<std::unique_ptr<Printer>> NewPrinter(std::ostream& out);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_NEW_PRINTER_H_
