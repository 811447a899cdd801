#ifndef SHALE_TOOLS_BATCH_MUTATE_BATCH_REPORT_H_
#define SHALE_TOOLS_BATCH_MUTATE_BATCH_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "shale/tools/batch_mutate/batch_run.h"
#include "shale/tools/benchmark/gate.h"
#include "shale/tools/benchmark/run_table.h"
#include "shale/tools/console/printer.h"

namespace shale {

struct MeasuredSequencer {
  std::string name;
  // Whether it promises that no row gets one timestamp twice.
  bool sequences = false;
};

// What was measured: runs by setting and sequencer.
struct BatchResults {
  std::vector<BatchSetting> settings;
  std::vector<MeasuredSequencer> sequencers;
  RunTable<BatchRun> runs;
};

// One line for each setting and sequencer. docs/measuring.md explains the
// columns.
void PrintBatches(const BatchResults& results, Printer& printer);

// DATA_LOSS if a row got one timestamp twice from a sequencer that promises
// that this can't be.
absl::Status CheckDuplicates(const BatchResults& results);

// What can be judged by what was measured.
std::vector<Gate> BatchGates(const BatchResults& results);

}  // namespace shale

#endif  // SHALE_TOOLS_BATCH_MUTATE_BATCH_REPORT_H_
