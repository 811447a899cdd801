#include "shale/tools/increment_performance/increment_program.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gflags/gflags.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/region/increment_variants.h"
#include "shale/region/region_components.h"
#include "shale/tools/benchmark/benchmark_flags.h"
#include "shale/tools/benchmark/gate.h"
#include "shale/tools/benchmark/list_flag.h"
#include "shale/tools/benchmark/run_plan.h"
#include "shale/tools/benchmark/run_table.h"
#include "shale/tools/increment_performance/increment_gates.h"
#include "shale/tools/increment_performance/increment_report.h"
#include "shale/tools/increment_performance/increment_run.h"
#include "shale/tools/increment_performance/row_choice.h"

// The original's four, by the original's names.
DEFINE_string(tableName, "tableName", "the region's name");
DEFINE_string(columnFamilyName, "columnFamilyName", "its column family");
DEFINE_int32(threadCount, 80, "threads that increment");
DEFINE_int64(incrementCount, 10000,
             "increments of each thread; lockstep also walks so many rows");

DEFINE_string(rows, "lockstep",
              "whose counters: lockstep (all threads walk the same rows at the "
              "same time), random:ROWS or hot:ROWS; several, separated by "
              "commas, one after the other");
DEFINE_string(sweep, "",
              "numbers of threads, separated by commas, in place of "
              "--threadCount");
DEFINE_int64(seconds, 0,
             "how long each run takes, in place of --incrementCount; 0: as "
             "long as it takes");
DEFINE_string(variants, "ring+pipelined",
              "what to compare: pairs MVCC+INCREMENT, separated by commas");
DEFINE_string(mvcc, "",
              "in place of --variants: write numberings, separated by commas, "
              "each with all of --increment");
DEFINE_string(increment, "",
              "in place of --variants: increment protocols, separated by "
              "commas, each with all of --mvcc");
DEFINE_int64(seed, 1, "of the random rows");

namespace shale {
namespace {

struct Options {
  std::vector<IncrementSetting> settings;
  std::vector<VariantPair> variants;
  IncrementLoad load;
  int repetitions = 0;
  uint64_t seed = 0;
  bool check = false;
};

absl::StatusOr<std::vector<VariantPair>> VariantsFromFlags() {
  const std::vector<std::string> all_mvcc = NamesOf(MvccVariants());
  const std::vector<std::string> all_increments = NamesOf(IncrementVariants());
  std::vector<VariantPair> pairs;
  if (FLAGS_mvcc.empty() && FLAGS_increment.empty()) {
    std::vector<std::string> known;
    for (const std::string& mvcc : all_mvcc) {
      for (const std::string& increment : all_increments) {
        known.push_back(VariantPair{mvcc, increment}.Name());
      }
    }
    SHALE_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           ParseNames("variants", FLAGS_variants, known));
    for (const std::string& name : names) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(name, '+');
      pairs.push_back({parts.first, parts.second});
    }
    return pairs;
  }
  SHALE_ASSIGN_OR_RETURN(const std::vector<std::string> mvccs,
                         ParseNames("mvcc", FLAGS_mvcc, all_mvcc));
  SHALE_ASSIGN_OR_RETURN(
      const std::vector<std::string> increments,
      ParseNames("increment", FLAGS_increment, all_increments));
  for (const std::string& mvcc : mvccs) {
    for (const std::string& increment : increments) {
      pairs.push_back({mvcc, increment});
    }
  }
  return pairs;
}

absl::StatusOr<std::vector<IncrementSetting>> SettingsFromFlags() {
  std::vector<int> threads = {FLAGS_threadCount};
  SHALE_RETURN_IF_ERROR(CheckRange("threadCount", FLAGS_threadCount, 1, 1024));
  if (!FLAGS_sweep.empty()) {
    SHALE_ASSIGN_OR_RETURN(threads,
                           ParseNumbers("sweep", FLAGS_sweep, 1, 1024));
  }
  std::vector<IncrementSetting> settings;
  for (const absl::string_view text : absl::StrSplit(FLAGS_rows, ',')) {
    const absl::StatusOr<RowChoice> rows =
        RowChoice::Parse(text, FLAGS_incrementCount);
    if (!rows.ok()) return Annotate(rows.status(), "--rows");
    for (const int n : threads) settings.push_back({*rows, n});
  }
  return settings;
}

absl::StatusOr<Options> OptionsFromFlags() {
  SHALE_RETURN_IF_ERROR(
      CheckRange("incrementCount", FLAGS_incrementCount, 1, 1000000000));
  SHALE_RETURN_IF_ERROR(CheckRange("seconds", FLAGS_seconds, 0, 86400));
  SHALE_RETURN_IF_ERROR(CheckRepetitions());
  Options options;
  SHALE_ASSIGN_OR_RETURN(options.settings, SettingsFromFlags());
  SHALE_ASSIGN_OR_RETURN(options.variants, VariantsFromFlags());
  SHALE_ASSIGN_OR_RETURN(options.load.device, DeviceFromFlags());
  options.load.table = FLAGS_tableName;
  options.load.family = FLAGS_columnFamilyName;
  options.load.increments = FLAGS_incrementCount;
  if (FLAGS_seconds > 0) options.load.time_limit = absl::Seconds(FLAGS_seconds);
  options.repetitions = FLAGS_repetitions;
  options.seed = static_cast<uint64_t>(FLAGS_seed);
  options.check = FLAGS_check;
  if (options.check &&
      options.load.device.kind != DeviceSpec::Kind::kModelled) {
    return absl::InvalidArgumentError(
        "--check: only the modelled device is judged; others are reported");
  }
  return options;
}

// The original begins with such a line.
void PrintOptions(const Options& options, Printer& printer) {
  const std::string threads =
      FLAGS_sweep.empty() ? absl::StrCat(FLAGS_threadCount) : FLAGS_sweep;
  printer.Summary(
      absl::StrCat("tableName=", FLAGS_tableName, ", columnFamilyName=",
                   FLAGS_columnFamilyName, ", threadCount=", threads,
                   ", incrementCount=", FLAGS_incrementCount),
      {{"table_name", FLAGS_tableName},
       {"column_family_name", FLAGS_columnFamilyName},
       {"thread_count", threads},
       {"increment_count", Count{static_cast<uint64_t>(FLAGS_incrementCount)}},
       {"seconds", Count{static_cast<uint64_t>(FLAGS_seconds)}},
       {"repetitions", Count{static_cast<uint64_t>(options.repetitions)}},
       {"device", options.load.device.Describe()}});
  printer.Note(absl::StrCat("device ", options.load.device.Describe(), "; ",
                            options.repetitions, " repetitions"));
}

RegionComponents ComponentsOf(const VariantPair& variants) {
  RegionComponents components = DefaultRegionComponents();
  components.mvcc = FindVariant(MvccVariants(), variants.mvcc).create;
  components.increment =
      FindVariant(IncrementVariants(), variants.increment).create;
  return components;
}

absl::Status RunBenchmark(const Options& options, Console& console,
                          Printer& printer) {
  PrintOptions(options, printer);
  const int settings = static_cast<int>(options.settings.size());
  const int variants = static_cast<int>(options.variants.size());
  IncrementResults results{options.settings, options.variants,
                           RunTable<IncrementRun>(settings, variants)};
  IncrementLoad load = options.load;
  load.device = ResolvedDevice(load.device, console);
  SHALE_RETURN_IF_ERROR(results.runs.Execute(
      InterleavedPlan(settings, options.repetitions, variants), console,
      [&](const PlannedRun& run, absl::FunctionRef<void(int64_t)> watch) {
        return RunIncrements(options.settings[run.setting], load,
                             ComponentsOf(options.variants[run.variant]),
                             options.seed + run.repetition, console.clock,
                             watch);
      }));
  PrintOriginalLines(results, printer);
  printer.Note("");
  PrintIncrements(results, printer);
  printer.Note("");
  PrintOriginalRatios(results, printer);
  printer.Note("");
  const absl::Status gates = PrintGates(IncrementGates(results), printer);
  return options.check ? gates : absl::OkStatus();
}

absl::StatusOr<Action> Prepare() {
  SHALE_ASSIGN_OR_RETURN(Options options, OptionsFromFlags());
  return [options = std::move(options)](Console& console, Printer& printer) {
    return RunBenchmark(options, console, printer);
  };
}

}  // namespace

Program IncrementPerformanceProgram() {
  return {
      "increment_performance_test",
      "how fast threads count up, by write numbering and increment protocol",
      "Each run is a new region on a new device, whose threads increment one\n"
      "column of the rows chosen. Variants take turns. After each run every\n"
      "answer and every counter is checked: the tool fails if one is off.",
      {"", "--variants=head_of_line+consistent,head_of_line+narrow",
       "--variants=head_of_line+consistent,prefix+consistent,ring+pipelined\n"
       "      --rows=random:10000 --sweep=1,32,96 --seconds=2 --check",
       "--mvcc=ring --increment=narrow,pipelined --rows=hot:1 "
       "--threadCount=96\n      --seconds=2 --device=real:/data"},
      {"threadCount", "incrementCount", "tableName", "columnFamilyName", "rows",
       "sweep", "seconds", "variants", "mvcc", "increment", "device",
       "sync_micros", "syncs_in_flight", "repetitions", "seed", "check"},
      Prepare};
}

}  // namespace shale
