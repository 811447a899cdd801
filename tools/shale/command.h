#ifndef SHALE_TOOLS_SHALE_COMMAND_H_
#define SHALE_TOOLS_SHALE_COMMAND_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/tools/console/action.h"

namespace shale {

enum class CommandGroup { kWrite, kRead, kMaintain, kInspect };

// For Command::max_arguments.
inline constexpr size_t kManyArguments = 1000000;

// One command of the tool: what help tells of it, what it takes, what it does.
// All text is static.
struct Command {
  absl::string_view name;
  CommandGroup group;
  // As in "ROW [FAMILY[:QUALIFIER]...]".
  absl::string_view arguments = "";
  // How many of them there may be.
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  // One line, without a full stop.
  absl::string_view summary;
  // Lines of at most 80 columns.
  absl::string_view details = "";
  // What follows "shale " in each.
  std::vector<absl::string_view> examples = {};
  // The gflags it understands, besides --format.
  std::vector<absl::string_view> flags = {};
  // Reads flags and arguments and touches nothing else: its error is a wrong
  // use of the command (exit code 2), the action's is a failure (1).
  absl::StatusOr<Action> (*prepare)(absl::Span<const std::string> arguments) =
      nullptr;
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_COMMAND_H_
