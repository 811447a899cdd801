#include "shale/tools/shale/command_table.h"

#include "shale/tools/shale/dump_commands.h"
#include "shale/tools/shale/import_command.h"
#include "shale/tools/shale/inspect_commands.h"
#include "shale/tools/shale/maintenance_commands.h"
#include "shale/tools/shale/read_commands.h"
#include "shale/tools/shale/verify_command.h"
#include "shale/tools/shale/write_commands.h"

namespace shale {

std::vector<Command> AllCommands() {
  return {ImportCommand(),  PutCommand(),          DeleteCommand(),
          GetCommand(),     ScanCommand(),         CountCommand(),
          CreateCommand(),  FlushCommand(),        CompactCommand(),
          RegionsCommand(), StatCommand(),         VerifyCommand(),
          WalDumpCommand(), ManifestDumpCommand(), FileDumpCommand()};
}

}  // namespace shale
