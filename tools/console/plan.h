#ifndef SHALE_TOOLS_CONSOLE_PLAN_H_
#define SHALE_TOOLS_CONSOLE_PLAN_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/tools/console/action.h"
#include "shale/tools/console/command_line.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/printer.h"

namespace shale {

// What a command line asks for, as far as can be said without touching
// anything.
struct Plan {
  std::unique_ptr<Printer> printer;
  Action action;
};

// Sets the gflags of `line`, which may be those of `flags` and --format, then
// makes the printer and asks `prepare`. An error is a wrong use of the tool.
absl::StatusOr<Plan> MakePlan(
    const CommandLine& line, std::vector<absl::string_view> flags,
    const Console& console,
    absl::FunctionRef<absl::StatusOr<Action>()> prepare);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PLAN_H_
