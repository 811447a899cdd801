#include "shale/tools/shale/help.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/tools/console/flag_help.h"

namespace shale {
namespace {

constexpr absl::string_view kExitCodes =
    "Exit codes\n"
    "  0  done\n"
    "  1  failed, not found, or the data is damaged\n"
    "  2  wrong use: unknown command or flag, bad argument; nothing was "
    "touched\n";

constexpr struct {
  CommandGroup group;
  absl::string_view title;
} kGroups[] = {
    {CommandGroup::kWrite, "Write"},
    {CommandGroup::kRead, "Read"},
    {CommandGroup::kMaintain, "Maintain"},
    {CommandGroup::kInspect,
     "Inspect (read-only: the directory stays as it is)"},
};

}  // namespace

std::string GeneralHelp(absl::Span<const Command> commands) {
  std::string text =
      "shale: loads, reads, keeps and checks Shale regions\n"
      "\n"
      "Usage: shale COMMAND [ARGUMENT...] [--FLAG=VALUE...]\n";
  for (const auto& [group, title] : kGroups) {
    absl::StrAppend(&text, "\n", title, "\n");
    for (const Command& command : commands) {
      if (command.group != group) continue;
      absl::StrAppendFormat(&text, "  %-14s %s\n", command.name,
                            command.summary);
    }
  }
  absl::StrAppend(&text, "\n", kExitCodes, "\n",
                  "`shale help COMMAND` tells a command's flags and shows "
                  "examples.\n");
  return text;
}

std::string CommandHelp(const Command& command) {
  std::string text = absl::StrCat("shale ", command.name, ": ", command.summary,
                                  "\n\nUsage: shale ", command.name,
                                  command.arguments.empty() ? "" : " ",
                                  command.arguments, " [--FLAG=VALUE...]\n");
  if (!command.details.empty()) {
    absl::StrAppend(&text, "\n", command.details, "\n");
  }
  absl::StrAppend(&text, "\nFlags\n");
  std::vector<absl::string_view> flags = command.flags;
  flags.push_back("format");
  absl::StrAppend(&text, FlagHelp(flags));
  if (!command.examples.empty()) absl::StrAppend(&text, "\nExamples\n");
  for (const absl::string_view example : command.examples) {
    absl::StrAppend(&text, "  shale ", example, "\n");
  }
  absl::StrAppend(&text, "\n", kExitCodes);
  return text;
}

}  // namespace shale
