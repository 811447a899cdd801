// regions, stat.
#ifndef SHALE_TOOLS_SHALE_INSPECT_COMMANDS_H_
#define SHALE_TOOLS_SHALE_INSPECT_COMMANDS_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command RegionsCommand();
Command StatCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_INSPECT_COMMANDS_H_
