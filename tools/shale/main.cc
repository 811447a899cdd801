// The command-line tool: see `shale help`.
#include <string>
#include <vector>

#include "shale/tools/console/console.h"
#include "shale/tools/console/process_console.h"
#include "shale/tools/shale/run.h"

int main(int argc, char** argv) {
  shale::Console console = shale::ProcessConsole();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return shale::RunShale(arguments, console);
}
