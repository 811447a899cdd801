#include "shale/tools/shale/read_commands.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/region/read_request.h"
#include "shale/region/region.h"
#include "shale/tools/console/progress.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/read_options.h"
#include "shale/tools/shale/store.h"

namespace shale {
namespace {

std::vector<std::string> FamiliesOf(const ReadOptions& options) {
  std::vector<std::string> families;
  for (const ColumnSelection& selection : options.columns) {
    families.push_back(selection.family);
  }
  return families;
}

void BeginCells(Printer& printer) {
  printer.BeginTable({"row", "column", "timestamp", "value"});
}

void PrintCells(const RowResult& row, Printer& printer) {
  for (const Cell& cell : row.cells) {
    printer.Row({EscapeBytes(cell.row),
                 ColumnText({cell.family, cell.qualifier}),
                 Moment{cell.timestamp}, EscapeBytes(cell.value)});
  }
}

absl::Status RunGet(const StoreName& name, const Get& get,
                    const Console& console, Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(name, Access::kRead, "get", console,
                                     FamiliesOf(get.options)));
  SHALE_ASSIGN_OR_RETURN(const RowResult row, store->region().Read(get));
  if (row.empty()) {
    return absl::NotFoundError(absl::StrCat("no such cell in row ",
                                            EscapeBytes(get.row), " of region ",
                                            store->region().schema().name));
  }
  BeginCells(printer);
  PrintCells(row, printer);
  printer.EndTable();
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareGet(absl::Span<const std::string> arguments) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  Get get;
  SHALE_ASSIGN_OR_RETURN(get.row, UnescapeBytes(arguments[0]));
  SHALE_ASSIGN_OR_RETURN(get.options,
                         ReadOptionsFromFlags(arguments.subspan(1)));
  return [name, get](Console& console, Printer& printer) {
    return RunGet(name, get, console, printer);
  };
}

absl::Status RunScan(const StoreName& name, const Scan& scan,
                     const Console& console, Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(name, Access::kRead, "scan", console,
                                     FamiliesOf(scan.options)));
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<RegionScanner> scanner,
                         store->region().NewScanner(scan));
  uint64_t rows = 0;
  uint64_t cells = 0;
  BeginCells(printer);
  while (true) {
    SHALE_ASSIGN_OR_RETURN(const std::optional<RowResult> row, scanner->Next());
    if (!row.has_value()) break;
    PrintCells(*row, printer);
    ++rows;
    cells += row->cells.size();
  }
  printer.EndTable();
  printer.Note(absl::StrCat("(", CountOf(rows, "row"), ", ",
                            CountOf(cells, "cell"), ")"));
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareScan(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  SHALE_ASSIGN_OR_RETURN(Scan scan, ScanFromFlags());
  return [name, scan](Console& console, Printer& printer) {
    return RunScan(name, scan, console, printer);
  };
}

absl::Status RunCount(const StoreName& name, const Scan& scan, Console& console,
                      Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(name, Access::kRead, "count", console,
                                     FamiliesOf(scan.options)));
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<RegionScanner> scanner,
                         store->region().NewScanner(scan));
  uint64_t rows = 0;
  uint64_t cells = 0;
  {
    Progress progress(console.err, console.terminal_columns, console.clock,
                      "count", "rows", /*total=*/0);
    while (true) {
      SHALE_ASSIGN_OR_RETURN(const std::optional<RowResult> row,
                             scanner->Next());
      if (!row.has_value()) break;
      ++rows;
      cells += row->cells.size();
      progress.Update(rows, rows);
    }
  }
  printer.Summary(
      absl::StrCat(CountOf(rows, "row"), ", ", CountOf(cells, "cell")),
      {{"rows", Count{rows}}, {"cells", Count{cells}}});
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareCount(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  SHALE_ASSIGN_OR_RETURN(Scan scan, ScanFromFlags());
  return [name, scan](Console& console, Printer& printer) {
    return RunCount(name, scan, console, printer);
  };
}

}  // namespace

Command GetCommand() {
  return {
      .name = "get",
      .group = CommandGroup::kRead,
      .arguments = "ROW [FAMILY[:QUALIFIER]...]",
      .min_arguments = 1,
      .max_arguments = kManyArguments,
      .summary = "Print the cells of one row",
      .details =
          "Bytes that are not printable are written \\x00, here and in what "
          "is printed.\nA row without cells is an error (exit code 1).",
      .examples = {"get 0041 --dir=/tmp/ucd",
                   "get 0041 ucd:name ucd:category --dir=/tmp/ucd",
                   "get 'key\\x00' --dir=/tmp/ucd --versions=3"},
      .flags = {"dir", "region", "versions", "min_timestamp", "max_timestamp"},
      .prepare = PrepareGet};
}

Command ScanCommand() {
  return {.name = "scan",
          .group = CommandGroup::kRead,
          .summary = "Print the cells of a range of rows",
          .details = "Rows come in the order of their bytes.",
          .examples = {"scan --dir=/tmp/ucd --start=0041 --stop=005B "
                       "--columns=ucd:name",
                       "scan --dir=/tmp/ucd --limit=10 --format=json"},
          .flags = {"dir", "region", "start", "stop", "limit", "columns",
                    "versions", "min_timestamp", "max_timestamp"},
          .prepare = PrepareScan};
}

Command CountCommand() {
  return {.name = "count",
          .group = CommandGroup::kRead,
          .summary = "Count the rows and cells of a range",
          .examples = {"count --dir=/tmp/ucd",
                       "count --dir=/tmp/ucd --start=4E00 --stop=9FFF"},
          .flags = {"dir", "region", "start", "stop", "limit", "columns",
                    "versions", "min_timestamp", "max_timestamp"},
          .prepare = PrepareCount};
}

}  // namespace shale
