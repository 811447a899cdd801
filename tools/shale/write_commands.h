// put, delete.
#ifndef SHALE_TOOLS_SHALE_WRITE_COMMANDS_H_
#define SHALE_TOOLS_SHALE_WRITE_COMMANDS_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command PutCommand();
Command DeleteCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_WRITE_COMMANDS_H_
