#include "shale/tools/console/testing/program_run.h"

#include <sstream>

#include "shale/base/clock.h"

namespace shale {

ProgramRun RunInProcess(const Program& program,
                        const std::vector<std::string>& arguments,
                        const std::string& directory) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err, 0, directory, RealClock()};
  const int exit_code = RunProgram(program, arguments, console);
  return {exit_code, out.str(), err.str()};
}

}  // namespace shale
