#include "shale/tools/batch_mutate/batch_program.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gflags/gflags.h"
#include "shale/base/status_macros.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/tools/batch_mutate/batch_report.h"
#include "shale/tools/batch_mutate/batch_run.h"
#include "shale/tools/benchmark/benchmark_flags.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/benchmark/gate.h"
#include "shale/tools/benchmark/list_flag.h"
#include "shale/tools/benchmark/run_plan.h"
#include "shale/tools/benchmark/run_table.h"

DEFINE_string(batch_rows, "1,10,100,1000", "rows of one batch");
DEFINE_string(threads, "1,2,4,8,16,32", "threads that apply batches");
DEFINE_string(rows, "unique,same",
              "whose rows they are: unique (of one batch alone: 0 % "
              "contention), same (of all batches: 100 %)");
DEFINE_string(sequencer, "",
              "row commit sequencers to compare; by default all there are");
DEFINE_string(log, "stub",
              "stub (keeps nothing: what is timed is the code of a commit) or "
              "device (this build's log, on --device)");
DEFINE_int64(operations, 10000,
             "batches of each setting and sequencer, over all repetitions");

namespace shale {
namespace {

struct Options {
  std::vector<BatchSetting> settings;
  std::vector<std::string> sequencers;
  std::optional<DeviceSpec> log_device;  // None: the log is a stub.
  int repetitions = 0;
  int64_t operations = 0;  // Of one run.
  bool check = false;
};

absl::StatusOr<Options> OptionsFromFlags() {
  SHALE_ASSIGN_OR_RETURN(
      const std::vector<int> batch_rows,
      ParseNumbers("batch_rows", FLAGS_batch_rows, 1, 10000));
  SHALE_ASSIGN_OR_RETURN(const std::vector<int> threads,
                         ParseNumbers("threads", FLAGS_threads, 1, 1024));
  SHALE_ASSIGN_OR_RETURN(const std::vector<std::string> contention,
                         ParseNames("rows", FLAGS_rows, {"unique", "same"}));
  SHALE_RETURN_IF_ERROR(
      CheckRange("operations", FLAGS_operations, 1, 1000000000));
  SHALE_RETURN_IF_ERROR(CheckRepetitions());
  Options options;
  SHALE_ASSIGN_OR_RETURN(options.sequencers,
                         ParseNames("sequencer", FLAGS_sequencer,
                                    NamesOf(RowCommitSequencerVariants())));
  for (const std::string& whose : contention) {
    for (const int rows : batch_rows) {
      for (const int n : threads) {
        options.settings.push_back({n, rows, whose == "same"});
      }
    }
  }
  if (FLAGS_log == "device") {
    SHALE_ASSIGN_OR_RETURN(options.log_device, DeviceFromFlags());
  } else if (FLAGS_log != "stub") {
    return absl::InvalidArgumentError(
        absl::StrCat("--log: \"", FLAGS_log, "\" is neither stub nor device"));
  }
  options.repetitions = FLAGS_repetitions;
  options.operations =
      std::max(FLAGS_operations / options.repetitions, int64_t{1});
  options.check = FLAGS_check;
  if (options.check && options.log_device.has_value()) {
    return absl::InvalidArgumentError(
        "--check: only runs with --log=stub are judged; others are reported");
  }
  return options;
}

// Whether the sequencer promises that no row gets a timestamp twice.
bool Sequences(absl::string_view name, Clock& clock) {
  ThreadPoolExecutor executor(1, clock);
  return FindVariant(RowCommitSequencerVariants(), name)
      .create(clock, executor)
      ->needs_exclusive_locks();
}

absl::Status RunBenchmark(const Options& options, Console& console,
                          Printer& printer) {
  BatchResults results{
      options.settings,
      {},
      RunTable<BatchRun>(static_cast<int>(options.settings.size()),
                         static_cast<int>(options.sequencers.size()))};
  for (const std::string& name : options.sequencers) {
    results.sequencers.push_back({name, Sequences(name, console.clock)});
  }
  std::optional<DeviceSpec> log_device = options.log_device;
  if (log_device.has_value()) {
    log_device = ResolvedDevice(*std::move(log_device), console);
    printer.Note(absl::StrCat("log on device ", log_device->Describe()));
  }
  const std::vector<PlannedRun> plan = InterleavedPlan(
      static_cast<int>(options.settings.size()), options.repetitions,
      static_cast<int>(options.sequencers.size()));
  SHALE_RETURN_IF_ERROR(results.runs.Execute(
      plan, console,
      [&](const PlannedRun& run, absl::FunctionRef<void(int64_t)> watch) {
        return RunBatches(options.settings[run.setting],
                          FindVariant(RowCommitSequencerVariants(),
                                      options.sequencers[run.variant]),
                          log_device, options.operations, console.clock, watch);
      }));
  PrintBatches(results, printer);
  printer.Note("");
  absl::Status gates;
  if (!log_device.has_value()) {
    gates = PrintGates(BatchGates(results), printer);
  }
  SHALE_RETURN_IF_ERROR(CheckDuplicates(results));
  return options.check ? gates : absl::OkStatus();
}

absl::StatusOr<Action> Prepare() {
  SHALE_ASSIGN_OR_RETURN(Options options, OptionsFromFlags());
  return [options = std::move(options)](Console& console, Printer& printer) {
    return RunBenchmark(options, console, printer);
  };
}

}  // namespace

Program BatchMutateProgram() {
  return {
      "batch_mutate_benchmark",
      "what a row commit sequencer costs a batch of puts",
      "Threads apply batches to a region whose log is a stub, so that what is\n"
      "timed is the code of a commit, or a real one with --log=device. Every "
      "sequencer runs under every "
      "setting,\n"
      "in turn with the others. At the end the run fails if a sequencer gave "
      "a\n"
      "row one timestamp twice (off promises nothing, and is reported), or if\n"
      "what is read back isn't what was acknowledged.",
      {"", "--batch_rows=1,10 --threads=1,2 --rows=unique --check",
       "--sequencer=off,monotonic --format=json",
       "--log=device --device=real:/data --batch_rows=1,100 --threads=1,32"},
      {"batch_rows", "threads", "rows", "sequencer", "operations", "log",
       "device", "sync_micros", "syncs_in_flight", "repetitions", "check"},
      Prepare};
}

}  // namespace shale
