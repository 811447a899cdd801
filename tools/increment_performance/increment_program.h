#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_PROGRAM_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_PROGRAM_H_

#include "shale/tools/console/program.h"

namespace shale {

// //tools:increment_performance_test.
Program IncrementPerformanceProgram();

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_PROGRAM_H_
