// wal-dump, manifest-dump, file-dump.
#ifndef SHALE_TOOLS_SHALE_DUMP_COMMANDS_H_
#define SHALE_TOOLS_SHALE_DUMP_COMMANDS_H_

#include "shale/tools/shale/command.h"

namespace shale {

Command WalDumpCommand();
Command ManifestDumpCommand();
Command FileDumpCommand();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_DUMP_COMMANDS_H_
