#ifndef SHALE_TOOLS_SHALE_VERIFY_COMMAND_H_
#define SHALE_TOOLS_SHALE_VERIFY_COMMAND_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command VerifyCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_VERIFY_COMMAND_H_
