#include "shale/tools/increment_performance/increment_report.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/tools/console/printed_value.h"

namespace shale {
namespace {

// "head_of_line+consistent, 80 threads, lockstep".
std::string Title(const IncrementResults& results, int setting, int variant) {
  const IncrementSetting& s = results.settings[setting];
  return absl::StrCat(results.variants[variant].Name(), ", ", s.threads,
                      " threads, ", s.rows.Name());
}

// What a count came to in the median run.
Sample CountOf(const std::vector<IncrementRun>& runs, int64_t Causes::*count) {
  return SampleOf(runs, [count](const IncrementRun& run) {
    return static_cast<double>(run.measurement.causes.*count);
  });
}

Decimal Median(const Sample& sample, int digits) {
  return {sample.median(), digits};
}

std::vector<PrintedValue> Line(const IncrementResults& results, int setting,
                               int variant) {
  const std::vector<IncrementRun>& runs = results.runs.At(setting, variant);
  const Sample rate = RateOf(runs);
  std::vector<PrintedValue> line = {
      results.settings[setting].rows.Name(),
      Count{static_cast<uint64_t>(results.settings[setting].threads)},
      results.variants[variant].mvcc,
      results.variants[variant].increment,
      Median(rate, 0),
      Decimal{100 * rate.relative_spread(), 1},
      Median(SampleOf(runs,
                      [](const IncrementRun& run) {
                        return run.measurement.nanos.mean() / 1e6;
                      }),
             3)};
  for (const double percent : {50.0, 75.0, 95.0, 99.0}) {
    line.emplace_back(Median(MillisOf(runs, percent), 3));
  }
  line.emplace_back(Decimal{MillisOf(runs, 100).max(), 3});
  line.emplace_back(Median(PerIncrementOf(runs, &Causes::context_switches), 2));
  line.emplace_back(Median(PerIncrementOf(runs, &Causes::wakes), 2));
  line.emplace_back(Median(
      Ratio(CountOf(runs, &Causes::wakes), CountOf(runs, &Causes::waits)), 2));
  const Sample syncs = CountOf(runs, &Causes::syncs);
  line.emplace_back(Median(syncs, 0));
  line.emplace_back(
      Median(Ratio(CountOf(runs, &Causes::log_entries), syncs), 1));
  line.emplace_back(Median(CountOf(runs, &Causes::barrier_waits), 0));
  return line;
}

struct OriginalRatio {
  absl::string_view slow;
  absl::string_view fast;
  double percent;
  double ratio;
};

// 80 threads, 10,000 lockstep increments each: the slow variant's milliseconds
// over the fast one's, as published with HBASE-15031 and HBASE-15213.
constexpr OriginalRatio kOriginalRatios[] = {
    {"head_of_line+consistent", "head_of_line+narrow", 75, 4.46},
    {"head_of_line+consistent", "head_of_line+narrow", 95, 3.91},
    {"head_of_line+consistent", "head_of_line+narrow", 99, 2.59},
    {"head_of_line+consistent", "prefix+consistent", 75, 5.20},
    {"head_of_line+consistent", "prefix+consistent", 95, 3.73},
    {"head_of_line+consistent", "prefix+consistent", 99, 2.23},
};
constexpr int kOriginalThreads = 80;

}  // namespace

const std::vector<IncrementRun>* IncrementResults::Find(
    absl::string_view rows, int threads, absl::string_view variant) const {
  for (size_t s = 0; s < settings.size(); ++s) {
    if (settings[s].threads != threads || settings[s].rows.Name() != rows) {
      continue;
    }
    for (size_t v = 0; v < variants.size(); ++v) {
      if (variants[v].Name() == variant) {
        return &runs.At(static_cast<int>(s), static_cast<int>(v));
      }
    }
  }
  return nullptr;
}

Sample RateOf(const std::vector<IncrementRun>& runs) {
  return SampleOf(runs, [](const IncrementRun& run) {
    return run.measurement.OperationsPerSecond();
  });
}

Sample MillisOf(const std::vector<IncrementRun>& runs, double percent) {
  return SampleOf(runs, [percent](const IncrementRun& run) {
    return static_cast<double>(run.measurement.nanos.Percentile(percent)) / 1e6;
  });
}

Sample PerIncrementOf(const std::vector<IncrementRun>& runs,
                      int64_t Causes::*count) {
  return SampleOf(runs, [count](const IncrementRun& run) {
    return run.measurement.PerOperation(run.measurement.causes.*count);
  });
}

void PrintIncrements(const IncrementResults& results, Printer& printer) {
  printer.BeginTable({"rows", "threads", "mvcc", "increment", "ops_per_second",
                      "spread_percent", "mean_ms", "p50_ms", "p75_ms", "p95_ms",
                      "p99_ms", "max_ms", "switches_per_op", "wakes_per_op",
                      "wakes_per_wait", "syncs", "edits_per_sync",
                      "barrier_waits"});
  for (size_t setting = 0; setting < results.settings.size(); ++setting) {
    for (size_t v = 0; v < results.variants.size(); ++v) {
      printer.Row(
          Line(results, static_cast<int>(setting), static_cast<int>(v)));
    }
  }
  printer.EndTable();
}

void PrintOriginalLines(const IncrementResults& results, Printer& printer) {
  const bool several =
      results.settings.size() > 1 || results.variants.size() > 1;
  for (size_t s = 0; s < results.settings.size(); ++s) {
    for (size_t v = 0; v < results.variants.size(); ++v) {
      const int setting = static_cast<int>(s);
      const int variant = static_cast<int>(v);
      const std::vector<IncrementRun>& runs = results.runs.At(setting, variant);
      // Down to the nanosecond.
      printer.Note(absl::StrFormat(
          "%s75th=%.6f, 95th=%.6f, 99th=%.6f",
          several ? absl::StrCat(Title(results, setting, variant), ": ") : "",
          MillisOf(runs, 75).median(), MillisOf(runs, 95).median(),
          MillisOf(runs, 99).median()));
    }
  }
}

void PrintOriginalRatios(const IncrementResults& results, Printer& printer) {
  bool begun = false;
  for (const OriginalRatio& original : kOriginalRatios) {
    const auto* const slow =
        results.Find("lockstep", kOriginalThreads, original.slow);
    const auto* const fast =
        results.Find("lockstep", kOriginalThreads, original.fast);
    if (slow == nullptr || fast == nullptr) continue;
    if (!begun) {
      printer.BeginTable({"latency_ratio", "percentile", "measured", "original",
                          "spread", "barrier_waits_slow",
                          "barrier_waits_fast"});
      begun = true;
    }
    const Sample ratio = Ratio(MillisOf(*slow, original.percent),
                               MillisOf(*fast, original.percent));
    printer.Row({absl::StrCat(original.slow, " / ", original.fast),
                 Count{static_cast<uint64_t>(original.percent)},
                 Median(ratio, 2), Decimal{original.ratio, 2},
                 Decimal{ratio.spread(), 2},
                 Median(CountOf(*slow, &Causes::barrier_waits), 0),
                 Median(CountOf(*fast, &Causes::barrier_waits), 0)});
  }
  if (begun) printer.EndTable();
}

}  // namespace shale
