#ifndef SHALE_TOOLS_SHALE_COMMAND_TABLE_H_
#define SHALE_TOOLS_SHALE_COMMAND_TABLE_H_

#include <vector>

#include "shale/tools/shale/command.h"

namespace shale {

// All commands but help, as help lists them.
std::vector<Command> AllCommands();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_COMMAND_TABLE_H_
