#ifndef SHALE_TOOLS_CONSOLE_RUN_ACTION_H_
#define SHALE_TOOLS_CONSOLE_RUN_ACTION_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "shale/tools/console/action.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/printer.h"

namespace shale {

// Runs `action` to its end and the last byte of its output; gives the exit
// code. An error is one line on console.err that begins with `program`.
int RunAction(absl::string_view program, Action& action,
              std::unique_ptr<Printer> printer, Console& console);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_RUN_ACTION_H_
