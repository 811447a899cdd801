#ifndef SHALE_TOOLS_BENCHMARK_CAUSES_H_
#define SHALE_TOOLS_BENCHMARK_CAUSES_H_

#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// Why something was fast or slow, counted. Unlike times these hardly depend on
// what else the machine does.
struct Causes {
  // Of the whole process, voluntary and not (getrusage).
  int64_t context_switches = 0;
  // Writers that parked, and how often such a writer was woken, in vain or not.
  int64_t waits = 0;
  int64_t wakes = 0;
  // Waits for all earlier writes of the region.
  int64_t barrier_waits = 0;
  // Commits that the row commit sequencer had wait.
  int64_t yields = 0;
  // Of the log: syncs of its files, and entries that were appended.
  int64_t syncs = 0;
  int64_t log_entries = 0;

  // What was counted between `before` and this.
  Causes Since(const Causes& before) const;
};

// The process's own part of it; the rest is 0.
Causes ProcessCauses();

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_CAUSES_H_
