#ifndef SHALE_TOOLS_CONSOLE_TESTING_PROGRAM_RUN_H_
#define SHALE_TOOLS_CONSOLE_TESTING_PROGRAM_RUN_H_

#include <string>
#include <vector>

#include "shale/tools/console/program.h"

namespace shale {

// What a run of a program came to.
struct ProgramRun {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs it in this process, on the real clock, as from a script: stderr is no
// terminal. Relative paths start in `directory`.
ProgramRun RunInProcess(const Program& program,
                        const std::vector<std::string>& arguments,
                        const std::string& directory = "");

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_TESTING_PROGRAM_RUN_H_
