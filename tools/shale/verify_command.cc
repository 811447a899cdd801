#include "shale/tools/shale/verify_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "shale/base/status_macros.h"
#include "shale/region/region.h"
#include "shale/tools/console/console.h"
#include "shale/tools/console/progress.h"
#include "shale/tools/shale/host_files.h"
#include "shale/tools/shale/store.h"
#include "shale/tools/shale/verifier.h"

namespace shale {
namespace {

// Whether all regions can be opened: what no single file shows.
absl::Status OpenAll(const std::string& directory, const Console& console) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<LocalHost> host,
                         OpenHost(directory, Access::kRead, "verify", console));
  for (const std::string& name : host->host().RegionNames()) {
    SHALE_RETURN_IF_ERROR(host->host().OpenRegion(name).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<VerifyResult> CheckFiles(const std::string& directory,
                                        Console& console) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(directory, console));
  std::unique_ptr<Progress> progress;
  const auto on_progress = [&progress](uint64_t bytes, uint64_t files) {
    progress->Update(bytes, files);
  };
  Verifier verifier(*host, on_progress);
  SHALE_RETURN_IF_ERROR(verifier.Prepare());
  progress = std::make_unique<Progress>(console.err, console.terminal_columns,
                                        console.clock, "verify", "files",
                                        verifier.total_bytes());
  verifier.Check();
  return verifier.result();
}

void PrintSummary(const VerifyResult& result, Printer& printer) {
  std::string sentence = absl::StrCat(
      "checked ", CountOf(result.regions, "region"), ": ",
      CountOf(result.store_files, "store file"), " (",
      SizeText(result.store_file_bytes), ", ", CountOf(result.cells, "cell"),
      ") and ", CountOf(result.log_segments, "log segment"), " (",
      SizeText(result.log_bytes), ", ", CountOf(result.log_records, "record"),
      "): ",
      result.problems.empty() ? std::string("all good")
                              : CountOf(result.problems.size(), "problem"));
  if (result.unused_files > 0) {
    absl::StrAppend(&sentence, "\n", CountOf(result.unused_files, "file"),
                    " that a crash left behind and nothing uses; the next "
                    "open to write removes them");
  }
  printer.Summary(sentence,
                  {{"regions", Count{result.regions}},
                   {"store_files", Count{result.store_files}},
                   {"store_file_bytes", ByteSize{result.store_file_bytes}},
                   {"cells", Count{result.cells}},
                   {"log_segments", Count{result.log_segments}},
                   {"log_bytes", ByteSize{result.log_bytes}},
                   {"log_records", Count{result.log_records}},
                   {"unused_files", Count{result.unused_files}},
                   {"problems", Count{result.problems.size()}}});
}

absl::Status RunVerify(const std::string& directory, Console& console,
                       Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(VerifyResult result, CheckFiles(directory, console));
  if (result.problems.empty()) {
    const absl::Status opened = OpenAll(directory, console);
    if (!opened.ok()) {
      absl::string_view problem = opened.message();
      absl::ConsumePrefix(&problem,
                          absl::StrCat(ResolvePath(directory, console), ": "));
      result.problems.push_back({directory, std::string(problem)});
    }
  }
  printer.BeginTable({"file", "problem"});
  for (const VerifyProblem& problem : result.problems) {
    printer.Row({problem.file, problem.problem});
  }
  printer.EndTable();
  PrintSummary(result, printer);
  if (result.problems.empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      directory, ": ", CountOf(result.problems.size(), "problem")));
}

absl::StatusOr<Action> PrepareVerify(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  return [name](Console& console, Printer& printer) {
    return RunVerify(name.directory, console, printer);
  };
}

}  // namespace

Command VerifyCommand() {
  return {.name = "verify",
          .group = CommandGroup::kInspect,
          .summary = "Read and check every byte of a directory",
          .details =
              "Checks the record of the last owner, the catalog, the "
              "manifests, every block of\nevery store file and every record of "
              "the log, and names what is damaged by file\nand offset. Damage "
              "is exit code 1.",
          .examples = {"verify --dir=/tmp/ucd"},
          .flags = {"dir"},
          .prepare = PrepareVerify};
}

}  // namespace shale
