#include "shale/tools/console/run_action.h"

#include "absl/status/status.h"
#include "shale/tools/console/exit_code.h"

namespace shale {

int RunAction(absl::string_view program, Action& action,
              std::unique_ptr<Printer> printer, Console& console) {
  const absl::Status done = action(console, *printer);
  printer.reset();  // Prints what it may still hold.
  console.out.flush();
  if (!done.ok()) return Failed(program, done, console.err);
  if (!console.out) {
    return Failed(program, absl::UnavailableError("can't write the output"),
                  console.err);
  }
  return kExitDone;
}

}  // namespace shale
