#include "shale/tools/console/program.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gflags/gflags.h"
#include "shale/tools/console/command_line.h"
#include "shale/tools/console/exit_code.h"
#include "shale/tools/console/flag_help.h"
#include "shale/tools/console/plan.h"
#include "shale/tools/console/process_console.h"
#include "shale/tools/console/run_action.h"

namespace shale {
namespace {

constexpr absl::string_view kExitCodes =
    "Exit codes\n"
    "  0  done\n"
    "  1  failed, or what was measured does not hold\n"
    "  2  wrong use: unknown flag, bad value; nothing was touched\n";

std::string Help(const Program& program) {
  std::vector<absl::string_view> flags = program.flags;
  flags.push_back("format");
  std::string text = absl::StrCat(
      program.name, ": ", program.summary, "\n\nUsage: ", program.name,
      " [--FLAG=VALUE...]\n\n", program.details, "\n\nFlags\n", FlagHelp(flags),
      "\nExamples\n");
  for (const absl::string_view example : program.examples) {
    absl::StrAppend(&text, "  ", program.name, " ", example, "\n");
  }
  absl::StrAppend(&text, "\n", kExitCodes);
  return text;
}

absl::StatusOr<Plan> Prepare(const Program& program, const CommandLine& line,
                             const Console& console) {
  if (!line.words.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("takes no arguments, such as ", line.words[0]));
  }
  return MakePlan(line, program.flags, console, program.prepare);
}

int Misused(const Program& program, const absl::Status& status,
            const Console& console) {
  PrintError(program.name,
             absl::StrCat(status.message(), "; see: ", program.name, " --help"),
             console.err);
  return kExitUsage;
}

}  // namespace

int RunProgram(const Program& program, absl::Span<const std::string> arguments,
               Console& console) {
  const gflags::FlagSaver saver;
  const absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) return Misused(program, line.status(), console);
  if (line->help) {
    console.out << Help(program);
    return kExitDone;
  }
  absl::StatusOr<Plan> plan = Prepare(program, *line, console);
  if (!plan.ok()) return Misused(program, plan.status(), console);
  return RunAction(program.name, plan->action, std::move(plan->printer),
                   console);
}

int RunProgram(const Program& program, int argc, char** argv) {
  Console console = ProcessConsole();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return RunProgram(program, arguments, console);
}

}  // namespace shale
