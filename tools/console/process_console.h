#ifndef SHALE_TOOLS_CONSOLE_PROCESS_CONSOLE_H_
#define SHALE_TOOLS_CONSOLE_PROCESS_CONSOLE_H_

#include "shale/tools/console/console.h"

namespace shale {

// The process's own streams and clock; relative paths start where `bazel run`
// was typed, for it starts tools elsewhere.
Console ProcessConsole();

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PROCESS_CONSOLE_H_
