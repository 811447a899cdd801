// get, scan, count.
#ifndef SHALE_TOOLS_SHALE_READ_COMMANDS_H_
#define SHALE_TOOLS_SHALE_READ_COMMANDS_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command GetCommand();
Command ScanCommand();
Command CountCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_READ_COMMANDS_H_
