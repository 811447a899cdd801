#ifndef SHALE_TOOLS_CONSOLE_COMMAND_LINE_H_
#define SHALE_TOOLS_CONSOLE_COMMAND_LINE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// A command line taken apart by gflags' rules: --name=value, --name value,
// --name and --noname for a bool, one dash as good as two, flags and words in
// any order, everything after "--" a word. Unlike gflags' own parser it reports
// errors instead of ending the process, and each command has flags of its own.
struct CommandLine {
  std::vector<std::string> words;
  // By name as registered with gflags, in the order given.
  std::vector<std::pair<std::string, std::string>> flags;
  // --help or -h was there.
  bool help = false;
};

// INVALID_ARGUMENT for a flag that no command has, or that lacks its value.
absl::StatusOr<CommandLine> ParseCommandLine(
    absl::Span<const std::string> arguments);

// Sets the gflags. INVALID_ARGUMENT for one that is not among `allowed`, that
// is there twice (the last would win unseen), or whose value has the wrong
// type.
absl::Status SetFlags(const CommandLine& line,
                      absl::Span<const absl::string_view> allowed);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_COMMAND_LINE_H_
