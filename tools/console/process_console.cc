#include "shale/tools/console/process_console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/stderr_log_sink.h"

namespace shale {
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

Console ProcessConsole() {
  static StderrLogSink* const log = new StderrLogSink(RealClock());
  return {std::cout,         std::cerr,
          TerminalColumns(), Environment("BUILD_WORKING_DIRECTORY"),
          RealClock(),       log};
}

}  // namespace shale
