#ifndef SHALE_TOOLS_BATCH_MUTATE_BATCH_PROGRAM_H_
#define SHALE_TOOLS_BATCH_MUTATE_BATCH_PROGRAM_H_

#include "shale/tools/console/program.h"

namespace shale {

// //tools:batch_mutate_benchmark.
Program BatchMutateProgram();

}  // namespace shale

#endif  // SHALE_TOOLS_BATCH_MUTATE_BATCH_PROGRAM_H_
