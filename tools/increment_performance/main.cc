// How fast threads count up: see increment_performance_test --help.
#include "shale/tools/console/program.h"
#include "shale/tools/increment_performance/increment_program.h"

int main(int argc, char** argv) {
  return shale::RunProgram(shale::IncrementPerformanceProgram(), argc, argv);
}
