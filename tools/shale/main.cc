// The command-line tool: see `shale help`.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/tools/shale/console.h"
#include "shale/tools/shale/run.h"

namespace {

const char* Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Of the terminal on stderr; 0 if it is none, or one that can't erase a line.
int TerminalColumns() {
  winsize size = {};
  if (isatty(STDERR_FILENO) == 0 ||
      absl::string_view(Environment("TERM")) == "dumb") {
    return 0;
  }
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

}  // namespace

int main(int argc, char** argv) {
  // Where `bazel run` was typed; it starts the tool elsewhere.
  shale::Console console{std::cout, std::cerr, TerminalColumns(),
                         Environment("BUILD_WORKING_DIRECTORY"),
                         shale::RealClock()};
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return shale::RunShale(arguments, console);
}
