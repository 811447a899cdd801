#include "shale/tools/shale/run.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gflags/gflags.h"
#include "shale/tools/console/command_line.h"
#include "shale/tools/console/exit_code.h"
#include "shale/tools/console/plan.h"
#include "shale/tools/console/run_action.h"
#include "shale/tools/shale/command.h"
#include "shale/tools/shale/command_table.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/help.h"

namespace shale {
namespace {

constexpr absl::string_view kProgram = "shale";

int Misused(absl::string_view message, absl::string_view command,
            const Console& console) {
  PrintError(kProgram,
             command.empty() ? absl::StrCat(message, "; see: shale help")
                             : absl::StrCat(command, ": ", message,
                                            "; see: shale help ", command),
             console.err);
  return kExitUsage;
}

const Command* Find(absl::string_view name,
                    const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

// `shale help`, `shale help COMMAND`, `shale --help`.
int Help(absl::Span<const std::string> words, const Console& console,
         const std::vector<Command>& commands) {
  if (words.empty()) {
    console.out << GeneralHelp(commands);
    return kExitDone;
  }
  const Command* const command = Find(words[0], commands);
  if (command == nullptr) {
    return Misused(absl::StrCat("no command ", words[0]), "", console);
  }
  console.out << CommandHelp(*command);
  return kExitDone;
}

absl::StatusOr<Plan> Prepare(const Command& command, const CommandLine& line,
                             const Console& console) {
  const absl::Span<const std::string> arguments =
      absl::MakeConstSpan(line.words).subspan(1);
  if (arguments.size() < command.min_arguments ||
      arguments.size() > command.max_arguments) {
    return absl::InvalidArgumentError(
        command.arguments.empty()
            ? std::string("takes no arguments")
            : absl::StrCat("takes the arguments ", command.arguments));
  }
  return MakePlan(line, command.flags, console,
                  [&] { return command.prepare(arguments); });
}

}  // namespace

int RunShale(absl::Span<const std::string> arguments, Console& console) {
  const gflags::FlagSaver saver;
  const std::vector<Command> commands = AllCommands();
  const absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) return Misused(line.status().message(), "", console);
  const absl::Span<const std::string> words = line->words;
  if (words.empty() && !line->help) {
    console.err << GeneralHelp(commands);
    return kExitUsage;
  }
  if (!words.empty() && words[0] == "help") {
    return Help(words.subspan(1), console, commands);
  }
  if (line->help) return Help(words, console, commands);
  const Command* const command = Find(words[0], commands);
  if (command == nullptr) {
    return Misused(absl::StrCat("no command ", words[0]), "", console);
  }
  absl::StatusOr<Plan> plan = Prepare(*command, *line, console);
  if (!plan.ok()) {
    return Misused(plan.status().message(), command->name, console);
  }
  return RunAction(kProgram, plan->action, std::move(plan->printer), console);
}

}  // namespace shale
