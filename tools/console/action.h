#ifndef SHALE_TOOLS_CONSOLE_ACTION_H_
#define SHALE_TOOLS_CONSOLE_ACTION_H_

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/printer.h"

namespace shale {

// What a tool does once its flags and arguments are known to be good.
using Action = absl::AnyInvocable<absl::Status(Console&, Printer&)>;

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_ACTION_H_
