#ifndef SHALE_TOOLS_CONSOLE_CONSOLE_H_
#define SHALE_TOOLS_CONSOLE_CONSOLE_H_

#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"

namespace shale {

// What a command has around it; injected, so that tests see what users see. All
// references outlive it.
struct Console {
  // Results, and nothing else.
  std::ostream& out;
  // Errors and progress.
  std::ostream& err;
  // Width of the terminal that `err` is; 0 if it is none.
  int terminal_columns = 0;
  // Absolute; relative paths start here. Empty: the process's own.
  std::string working_directory;
  Clock& clock;
  // What a host has to say beside its results. Null drops it.
  LogSink* log = nullptr;
};

// `path` seen from the console's working directory.
std::string ResolvePath(absl::string_view path, const Console& console);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_CONSOLE_H_
