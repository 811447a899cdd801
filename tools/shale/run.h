#ifndef SHALE_TOOLS_SHALE_RUN_H_
#define SHALE_TOOLS_SHALE_RUN_H_

#include <string>

#include "absl/types/span.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/exit_code.h"

namespace shale {

// Runs the tool on a command line (without the program's name) and returns its
// exit code. Errors are one line on console.err. Flags are as before
// afterwards. Not thread-safe: gflags are global.
int RunShale(absl::Span<const std::string> arguments, Console& console);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_RUN_H_
