#include "shale/tools/shale/import_command.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/region/column_family.h"
#include "shale/region/region.h"
#include "shale/tools/console/progress.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/delimited_reader.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/importer.h"
#include "shale/tools/shale/store.h"
#include "shale/tools/shale/watched_apply.h"

namespace shale {
namespace {

struct ImportPlan {
  StoreName store;
  std::string file;
  char separator = '\t';
  ImportOptions options;
};

absl::StatusOr<char> SeparatorFromFlag() {
  if (FLAGS_separator == "\\t") return '\t';
  SHALE_ASSIGN_OR_RETURN(const std::string bytes,
                         UnescapeBytes(FLAGS_separator));
  if (bytes.size() != 1 || bytes == "\n" || bytes == "\r") {
    return absl::InvalidArgumentError(
        absl::StrCat("--separator: \"", FLAGS_separator,
                     "\" is not one byte other than a line end"));
  }
  return bytes[0];
}

absl::StatusOr<ImportOptions> OptionsFromFlags() {
  if (FLAGS_columns.empty()) {
    return absl::InvalidArgumentError("--columns is missing");
  }
  ImportOptions options;
  absl::StatusOr<std::vector<ImportField>> fields =
      ParseImportFields(FLAGS_columns);
  if (!fields.ok()) return Annotate(fields.status(), "--columns");
  options.fields = *std::move(fields);
  if (FLAGS_skip_lines < 0 || FLAGS_max_bad_lines < 0) {
    return absl::InvalidArgumentError(
        "--skip_lines and --max_bad_lines must not be negative");
  }
  options.skip_lines = static_cast<uint64_t>(FLAGS_skip_lines);
  options.max_bad_lines = static_cast<uint64_t>(FLAGS_max_bad_lines);
  if (FLAGS_batch < 1 || FLAGS_batch > 100000) {
    return absl::InvalidArgumentError("--batch must be 1 to 100000");
  }
  options.batch_lines = static_cast<size_t>(FLAGS_batch);
  SHALE_ASSIGN_OR_RETURN(options.durability, DurabilityFromFlags());
  SHALE_ASSIGN_OR_RETURN(options.timestamp, TimestampFromFlags());
  if (options.timestamp != kLatestTimestamp &&
      absl::c_any_of(options.fields, [](const ImportField& field) {
        return field.kind == ImportField::Kind::kTimestamp;
      })) {
    return absl::InvalidArgumentError(
        "--timestamp and a TS_KEY in --columns exclude each other");
  }
  return options;
}

RegionSchema SchemaFor(const ImportPlan& plan) {
  RegionSchema schema;
  schema.name = plan.store.region.empty() ? kDefaultRegion : plan.store.region;
  for (std::string& family : FamiliesOf(plan.options.fields)) {
    schema.families.emplace_back().name = std::move(family);
  }
  return schema;
}

// The region that lines go to: open at once if it is there, else made when the
// first of them has been read well, so that a wrong separator or a wrong file
// leaves nothing behind. Not thread-safe.
class Target {
 public:
  // `plan`, `console` and `printer` outlive it.
  Target(const ImportPlan& plan, const Console& console, Printer& printer)
      : plan_(plan), console_(console), printer_(printer) {}

  // Opens the region if it is there. An error means that it can't be imported
  // into; nothing is written then.
  absl::Status Find() {
    const absl::StatusOr<RegionSchema> found =
        FindRegion(plan_.store, console_);
    if (absl::IsNotFound(found.status())) return absl::OkStatus();
    SHALE_RETURN_IF_ERROR(found.status());
    SHALE_RETURN_IF_ERROR(
        CheckFamilies(*found, FamiliesOf(plan_.options.fields)));
    return Open();
  }

  // As WatchedApply, after making the region if it isn't there.
  ApplyResult Apply(MutationBatch batch,
                    absl::FunctionRef<void(absl::string_view)> tell) {
    if (store_ == nullptr && open_error_.ok()) {
      open_error_ = Create();
      if (open_error_.ok()) open_error_ = Open();
    }
    if (open_error_.ok()) {
      return WatchedApply(store_->region(), std::move(batch), console_.clock,
                          tell);
    }
    ApplyResult refused;
    refused.statuses.assign(batch.mutations.size(), open_error_);
    return refused;
  }

  // Whether there is a region now.
  bool is_open() const { return store_ != nullptr; }
  // Why it could not be made or opened when the first lines came.
  const absl::Status& open_error() const { return open_error_; }

  absl::Status Close() {
    return store_ == nullptr ? absl::OkStatus() : store_->Close();
  }

 private:
  absl::Status Create() {
    const std::string& directory = plan_.store.directory;
    SHALE_ASSIGN_OR_RETURN(
        const std::unique_ptr<LocalHost> host,
        OpenHost(directory, Access::kCreate, "import", console_));
    const RegionSchema schema = SchemaFor(plan_);
    const absl::Status created = host->host().CreateRegion(schema);
    if (!created.ok()) return Annotate(created, directory);
    printer_.Note(
        absl::StrCat("created region ", schema.name, " in ", directory,
                     "; column families: ",
                     absl::StrJoin(FamiliesOf(plan_.options.fields), ", ")));
    return host->host().Close();
  }

  absl::Status Open() {
    SHALE_ASSIGN_OR_RETURN(
        store_, Store::Open(plan_.store, Access::kWrite, "import", console_));
    return absl::OkStatus();
  }

  const ImportPlan& plan_;
  const Console& console_;
  Printer& printer_;
  std::unique_ptr<Store> store_;
  absl::Status open_error_;
};

void PrintBadLines(const ImportResult& result, Printer& printer) {
  printer.BeginTable({"line", "problem"});
  for (const BadLine& bad : result.first_bad) {
    printer.Row({Count{bad.number}, bad.problem});
  }
  printer.EndTable();
  const uint64_t more = result.bad - result.first_bad.size();
  if (more > 0) {
    printer.Note(absl::StrCat("and ", CountOf(more, "more bad line")));
  }
}

void PrintSummary(const ImportPlan& plan, const ImportResult& result,
                  absl::Duration elapsed, Printer& printer) {
  std::string sentence = absl::StrCat(
      "imported ", CountOf(result.imported, "line"), " (",
      CountOf(result.cells, "cell"), ") of ", plan.file, " in ",
      ElapsedText(elapsed), ", ",
      WithSeparators(RatePerSecond(result.imported, elapsed)), " lines/s");
  if (result.bad > 0) {
    absl::StrAppend(&sentence, "; left out ", CountOf(result.bad, "bad line"));
  }
  printer.Summary(sentence, {{"file", plan.file},
                             {"lines", Count{result.lines}},
                             {"imported", Count{result.imported}},
                             {"cells", Count{result.cells}},
                             {"bad_lines", Count{result.bad}}});
}

// The file and its size; 0 if it has none, as a pipe.
absl::StatusOr<uint64_t> OpenInput(const std::string& file,
                                   const Console& console, std::ifstream& in) {
  const std::string path = ResolvePath(file, console);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    return absl::ErrnoToStatus(errno, file);
  }
  if (S_ISDIR(info.st_mode)) return absl::ErrnoToStatus(EISDIR, file);
  in.open(path, std::ios::binary);
  if (!in) return absl::ErrnoToStatus(errno, file);
  return S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
}

absl::Status RunImport(const ImportPlan& plan, Console& console,
                       Printer& printer) {
  SHALE_RETURN_IF_ERROR(ValidateSchema(SchemaFor(plan)));
  std::ifstream in;
  SHALE_ASSIGN_OR_RETURN(const uint64_t file_bytes,
                         OpenInput(plan.file, console, in));
  Target target(plan, console, printer);
  SHALE_RETURN_IF_ERROR(target.Find());
  DelimitedReader reader(in, plan.separator);
  const absl::Duration start = console.clock.Monotonic();
  ImportResult result;
  absl::Status status;
  {
    Progress progress(console.err, console.terminal_columns, console.clock,
                      "import", "lines", file_bytes);
    uint64_t bytes_read = 0;
    uint64_t imported = 0;
    const auto on_progress = [&](uint64_t bytes, uint64_t lines) {
      bytes_read = bytes;
      imported = lines;
      progress.Update(bytes, lines);
    };
    const auto apply = [&](MutationBatch batch) {
      return target.Apply(std::move(batch), [&](absl::string_view note) {
        progress.Update(bytes_read, imported, note);
      });
    };
    Importer importer(plan.options, reader, apply, on_progress);
    status = Annotate(importer.Run(), plan.file);
    result = importer.result();
    status.Update(target.Close());
  }
  if (!target.open_error().ok()) return target.open_error();
  if (result.bad > 0) PrintBadLines(result, printer);
  PrintSummary(plan, result, console.clock.Monotonic() - start, printer);
  if (!target.is_open()) {
    printer.Note("no line to import, so no region was made");
  }
  return status;
}

absl::StatusOr<Action> PrepareImport(absl::Span<const std::string> arguments) {
  ImportPlan plan;
  SHALE_ASSIGN_OR_RETURN(plan.store, StoreNameFromFlags());
  plan.file = arguments[0];
  SHALE_ASSIGN_OR_RETURN(plan.separator, SeparatorFromFlag());
  SHALE_ASSIGN_OR_RETURN(plan.options, OptionsFromFlags());
  return [plan](Console& console, Printer& printer) {
    return RunImport(plan, console, printer);
  };
}

constexpr absl::string_view kDetails =
    "Each line is a row. --columns says what its fields are, in order:\n"
    "  ROW_KEY           the row; exactly one field is\n"
    "  TS_KEY            the cells' timestamp; at most one field is\n"
    "  FAMILY:QUALIFIER  a cell\n"
    "  nothing           the field is ignored, as in ROW_KEY,,ucd:category\n"
    "The directory and the region are made if they are not there, with the\n"
    "column families that --columns names, once a line is there to be "
    "imported.\n"
    "There is no quoting: a field can't hold the separator. An empty field "
    "makes\n"
    "a cell with an empty value. Of \\r\\n at the end of a line both are "
    "dropped.\n"
    "\n"
    "A line with another number of fields, or one that the region refuses, is\n"
    "bad: it is left out, counted and listed. While the disk is full the "
    "import\n"
    "waits, and says so; if no space comes within half a minute it fails, and\n"
    "says how many lines are durable. Importing the same file again "
    "changes\n"
    "no value that a read sees, so an import that was cut off or failed is "
    "simply\n"
    "run again; cells without a timestamp of their own get a newer one.";

}  // namespace

Command ImportCommand() {
  return {.name = "import",
          .group = CommandGroup::kWrite,
          .arguments = "FILE",
          .min_arguments = 1,
          .max_arguments = 1,
          .summary = "Load the lines of a delimited text file into a region",
          .details = kDetails,
          .examples = {"import UnicodeData.txt --dir=/tmp/ucd --region=ucd "
                       "--separator=';' \\\n      --columns=ROW_KEY,ucd:name,"
                       "ucd:category,,,,,,,,,,,,"},
          .flags = {"dir", "region", "columns", "separator", "skip_lines",
                    "max_bad_lines", "batch", "durability", "timestamp"},
          .prepare = PrepareImport};
}

}  // namespace shale
