// What a row commit sequencer costs: see batch_mutate_benchmark --help.
#include "shale/tools/batch_mutate/batch_program.h"
#include "shale/tools/console/program.h"

int main(int argc, char** argv) {
  return shale::RunProgram(shale::BatchMutateProgram(), argc, argv);
}
