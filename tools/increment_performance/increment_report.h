#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_REPORT_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_REPORT_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/tools/benchmark/run_table.h"
#include "shale/tools/benchmark/sample.h"
#include "shale/tools/console/printer.h"
#include "shale/tools/increment_performance/increment_run.h"

namespace shale {

// A write numbering and an increment protocol that were measured together.
struct VariantPair {
  std::string mvcc;
  std::string increment;

  std::string Name() const { return absl::StrCat(mvcc, "+", increment); }
};

// What was measured: runs by setting and variant.
struct IncrementResults {
  std::vector<IncrementSetting> settings;
  std::vector<VariantPair> variants;
  RunTable<IncrementRun> runs;

  // Null if it wasn't measured. `rows` is a RowChoice's name, `variant` such as
  // "ring+pipelined".
  const std::vector<IncrementRun>* Find(absl::string_view rows, int threads,
                                        absl::string_view variant) const;
};

// Increments per second, by repetition.
Sample RateOf(const std::vector<IncrementRun>& runs);
// Milliseconds that this part of all increments took at most.
Sample MillisOf(const std::vector<IncrementRun>& runs, double percent);
// A count divided by the increments.
Sample PerIncrementOf(const std::vector<IncrementRun>& runs,
                      int64_t Causes::*count);

// One line for each setting and variant. docs/measuring.md explains the
// columns.
void PrintIncrements(const IncrementResults& results, Printer& printer);

// The original's last line, for each setting and variant; for people.
void PrintOriginalLines(const IncrementResults& results, Printer& printer);

// What the originals improved by, beside what was measured here: reported, not
// judged. Nothing if the runs that it takes weren't made.
void PrintOriginalRatios(const IncrementResults& results, Printer& printer);

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_INCREMENT_REPORT_H_
