// create, flush, compact.
#ifndef SHALE_TOOLS_SHALE_MAINTENANCE_COMMANDS_H_
#define SHALE_TOOLS_SHALE_MAINTENANCE_COMMANDS_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command CreateCommand();
Command FlushCommand();
Command CompactCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_MAINTENANCE_COMMANDS_H_
