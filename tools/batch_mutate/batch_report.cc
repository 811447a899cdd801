#include "shale/tools/batch_mutate/batch_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "shale/base/histogram.h"
#include "shale/tools/benchmark/causes.h"
#include "shale/tools/benchmark/sample.h"
#include "shale/tools/console/printed_value.h"

namespace shale {
namespace {

// The most that a sequencer may cost.
constexpr double kNanosPerRow = 150;
// Where a difference of two times is one of the code, not of the scheduler.
constexpr int kMostThreads = 2;

// -1 if it wasn't measured.
int IndexOf(const std::vector<MeasuredSequencer>& sequencers,
            absl::string_view name) {
  for (size_t i = 0; i < sequencers.size(); ++i) {
    if (sequencers[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

// What a row costs more than with the sequencer `off`, by repetition; empty if
// that wasn't measured.
Sample NanosOverOff(const BatchResults& results, int setting, int sequencer) {
  const int off = IndexOf(results.sequencers, "off");
  if (off < 0 || off == sequencer) return {};
  const std::vector<BatchRun>& with = results.runs.At(setting, sequencer);
  const std::vector<BatchRun>& without = results.runs.At(setting, off);
  Sample sample;
  for (size_t i = 0; i < std::min(with.size(), without.size()); ++i) {
    sample.Add((with[i].median_nanos - without[i].median_nanos) /
               results.settings[setting].rows);
  }
  return sample;
}

int64_t Yields(const std::vector<BatchRun>& runs) {
  int64_t yields = 0;
  for (const BatchRun& run : runs) yields += run.measurement.causes.yields;
  return yields;
}

PrintedValue PerOperation(const std::vector<BatchRun>& runs,
                          int64_t Causes::*cause) {
  const Sample sample = SampleOf(runs, [&](const BatchRun& run) {
    return run.measurement.PerOperation(run.measurement.causes.*cause);
  });
  return Decimal{sample.median(), 2};
}

Decimal Millis(int64_t nanos) {
  return Decimal{static_cast<double>(nanos) / 1e6, 4};
}

std::vector<PrintedValue> Line(const BatchResults& results, int setting,
                               int sequencer) {
  const BatchSetting& s = results.settings[setting];
  const std::vector<BatchRun>& runs = results.runs.At(setting, sequencer);
  Histogram nanos;
  int64_t duplicates = 0;
  for (const BatchRun& run : runs) {
    nanos.Merge(run.measurement.nanos);
    duplicates += run.duplicates;
  }
  const Sample rate = SampleOf(runs, [](const BatchRun& run) {
    return run.measurement.OperationsPerSecond();
  });
  std::vector<PrintedValue> line = {
      Count{static_cast<uint64_t>(s.threads)},
      Count{static_cast<uint64_t>(s.rows)},
      std::string(s.same_rows ? "same" : "unique"),
      results.sequencers[sequencer].name,
      Count{static_cast<uint64_t>(nanos.count())},
      Decimal{rate.median(), 0},
      Decimal{100 * rate.relative_spread(), 1}};
  for (const double percent : {50.0, 99.0, 99.9, 100.0, 0.5, 0.99, 0.999}) {
    line.emplace_back(Millis(nanos.Percentile(percent)));
  }
  const Sample over_off = NanosOverOff(results, setting, sequencer);
  PrintedValue cost;
  if (over_off.size() > 0) cost = Decimal{over_off.median(), 0};
  line.push_back(cost);
  line.emplace_back(Count{static_cast<uint64_t>(Yields(runs))});
  line.push_back(PerOperation(runs, &Causes::syncs));
  line.push_back(PerOperation(runs, &Causes::context_switches));
  line.emplace_back(Count{static_cast<uint64_t>(duplicates)});
  return line;
}

// That none of these runs yielded; nothing to average.
Gate NoYields(const BatchResults& results, int sequencer, bool same_rows) {
  int64_t yields = 0;
  for (size_t i = 0; i < results.settings.size(); ++i) {
    if (results.settings[i].same_rows != same_rows) continue;
    yields += Yields(results.runs.At(static_cast<int>(i), sequencer));
  }
  const std::string claim =
      absl::StrCat(results.sequencers[sequencer].name, ": yields with ",
                   same_rows ? "the same rows" : "rows of their own");
  return {claim,
          Sample(std::vector<double>(kFewestRepetitions,
                                     static_cast<double>(yields))),
          Gate::Bound::kAtMost, 0, 0};
}

}  // namespace

void PrintBatches(const BatchResults& results, Printer& printer) {
  printer.BeginTable({"threads", "batch_rows", "rows", "sequencer",
                      "operations", "ops_per_second", "spread_percent",
                      "p50_ms", "p99_ms", "p999_ms", "max_ms", "seed_p50_ms",
                      "seed_p99_ms", "seed_p999_ms", "ns_per_row_over_off",
                      "yields", "syncs_per_op", "switches_per_op",
                      "duplicates"});
  for (size_t setting = 0; setting < results.settings.size(); ++setting) {
    for (size_t s = 0; s < results.sequencers.size(); ++s) {
      printer.Row(
          Line(results, static_cast<int>(setting), static_cast<int>(s)));
    }
  }
  printer.EndTable();
}

absl::Status CheckDuplicates(const BatchResults& results) {
  for (size_t s = 0; s < results.sequencers.size(); ++s) {
    if (!results.sequencers[s].sequences) continue;
    int64_t duplicates = 0;
    for (size_t i = 0; i < results.settings.size(); ++i) {
      for (const BatchRun& run :
           results.runs.At(static_cast<int>(i), static_cast<int>(s))) {
        duplicates += run.duplicates;
      }
    }
    if (duplicates > 0) {
      return absl::DataLossError(
          absl::StrCat("sequencer ", results.sequencers[s].name, " gave ",
                       duplicates, " rows a timestamp for a second time"));
    }
  }
  return absl::OkStatus();
}

std::vector<Gate> BatchGates(const BatchResults& results) {
  std::vector<Gate> gates;
  for (size_t s = 0; s < results.sequencers.size(); ++s) {
    const std::string& name = results.sequencers[s].name;
    if (name == "off") continue;
    bool unique = false;
    bool same = false;
    for (size_t i = 0; i < results.settings.size(); ++i) {
      const BatchSetting& setting = results.settings[i];
      (setting.same_rows ? same : unique) = true;
      if (setting.same_rows || setting.threads > kMostThreads) continue;
      const Sample over_off =
          NanosOverOff(results, static_cast<int>(i), static_cast<int>(s));
      if (over_off.size() == 0) continue;
      gates.push_back(
          {absl::StrCat(name, ": ns a row over off, ", setting.threads,
                        " threads, ", setting.rows, " rows"),
           over_off, Gate::Bound::kAtMost, kNanosPerRow, 0});
    }
    if (unique) {
      gates.push_back(NoYields(results, static_cast<int>(s), false));
    }
    if (same && name == "monotonic") {
      gates.push_back(NoYields(results, static_cast<int>(s), true));
    }
  }
  return gates;
}

}  // namespace shale
