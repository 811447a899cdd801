#ifndef SHALE_TOOLS_CONSOLE_PROGRAM_H_
#define SHALE_TOOLS_CONSOLE_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/tools/console/action.h"
#include "shale/tools/console/console.h"

namespace shale {

// A tool that does one thing, which its flags describe: no commands and no
// arguments. All text is static.
struct Program {
  absl::string_view name;
  // One line, without a full stop.
  absl::string_view summary;
  // Lines of at most 80 columns.
  absl::string_view details;
  // What follows the name in each.
  std::vector<absl::string_view> examples = {};
  // The gflags it understands, besides --format.
  std::vector<absl::string_view> flags = {};
  // Reads the flags and touches nothing else: its error is a wrong use of the
  // tool (exit code 2), the action's is a failure (1).
  absl::StatusOr<Action> (*prepare)() = nullptr;
};

// Runs it on a command line (without the program's name) and returns its exit
// code. Errors are one line on console.err. Flags are as before afterwards. Not
// thread-safe: gflags are global.
int RunProgram(const Program& program, absl::Span<const std::string> arguments,
               Console& console);

// The same for main(), on the process's own streams.
int RunProgram(const Program& program, int argc, char** argv);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PROGRAM_H_
