#ifndef SHALE_TOOLS_SHALE_HELP_H_
#define SHALE_TOOLS_SHALE_HELP_H_

#include <string>

#include "absl/types/span.h"
#include "shale/tools/shale/command.h"

namespace shale {

// What `shale help` prints: all commands, by group.
std::string GeneralHelp(absl::Span<const Command> commands);

// What `shale help COMMAND` prints, its flags with their defaults.
std::string CommandHelp(const Command& command);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_HELP_H_
