#include "shale/tools/console/plan.h"

#include "shale/base/status_macros.h"
#include "shale/tools/console/new_printer.h"

namespace shale {

absl::StatusOr<Plan> MakePlan(
    const CommandLine& line, std::vector<absl::string_view> flags,
    const Console& console,
    absl::FunctionRef<absl::StatusOr<Action>()> prepare) {
  flags.push_back("format");
  SHALE_RETURN_IF_ERROR(SetFlags(line, flags));
  Plan plan;
  SHALE_ASSIGN_OR_RETURN(plan.printer, NewPrinter(console.out));
  SHALE_ASSIGN_OR_RETURN(plan.action, prepare());
  return plan;
}

}  // namespace shale
