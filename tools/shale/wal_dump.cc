#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/region/host_layout.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/dump_commands.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/host_files.h"
#include "shale/tools/shale/store.h"
#include "shale/wal/log_scan.h"

namespace shale {
namespace {

enum class LogDetail { kSegments, kRecords, kCells };

// Region names by the incarnation that the log knows them by. A log can be
// looked at without them.
class RegionNames {
 public:
  explicit RegionNames(HostFiles& host) {
    const absl::StatusOr<Catalog> catalog = host.ReadCatalog();
    if (!catalog.ok()) return;
    for (const Catalog::Entry& entry : catalog->entries()) {
      names_[entry.incarnation] = entry.name;
    }
  }

  // Nothing for the log's own records.
  PrintedValue Of(const Uuid& region) const {
    if (region == Uuid()) return PrintedValue();
    const auto it = names_.find(region);
    return it == names_.end() ? region.ToString() : it->second;
  }

 private:
  absl::flat_hash_map<Uuid, std::string> names_;
};

void PrintSegments(const LogScan& log, Printer& printer) {
  printer.BeginTable(
      {"segment", "epoch", "first_position", "bytes", "created"});
  for (const LogSegment& segment : log.segments()) {
    printer.Row({segment.name, Count{segment.header.id.epoch},
                 Count{segment.header.first.value},
                 ByteSize{segment.end_offset},
                 Moment{absl::ToUnixMicros(segment.header.created)}});
  }
  printer.EndTable();
}

// Calls `print` for every record, in a table for each segment.
absl::Status PrintInTables(const LogScan& log,
                           const std::vector<std::string>& columns,
                           LogScan::Visitor print, Printer& printer) {
  std::string segment;
  const auto visit = [&](const LogRecord& record, const RecordPlace& place) {
    if (place.segment != segment) {
      if (!segment.empty()) printer.EndTable();
      segment = std::string(place.segment);
      printer.BeginTable(columns, {{"segment", segment}});
    }
    return print(record, place);
  };
  SHALE_RETURN_IF_ERROR(log.ForEach(visit));
  printer.EndTable();
  return absl::OkStatus();
}

absl::Status PrintRecords(const LogScan& log, const RegionNames& names,
                          Printer& printer) {
  const auto print = [&](const LogRecord& record, const RecordPlace& place) {
    const LogEntry& entry = record.entry;
    PrintedValue first, last, committed;  // The log's own have none.
    if (entry.range.first != kNoWriteNumber) {
      first = Count{entry.range.first.value};
      last = Count{entry.range.last.value};
    }
    if (entry.commit_timestamp != 0) committed = Moment{entry.commit_timestamp};
    printer.Row({Count{place.offset}, std::string(LogEntryTypeName(entry.type)),
                 names.Of(entry.region), first, last, committed,
                 Count{record.position.value}, Count{record.durable_to.value},
                 Count{entry.payload.size()}});
    return absl::OkStatus();
  };
  return PrintInTables(
      log,
      {"offset", "type", "region", "first", "last", "commit_timestamp",
       "position", "durable_to", "payload_bytes"},
      print, printer);
}

absl::Status PrintCellsOf(const LogRecord& record, const RecordPlace& place,
                          const PrintedValue& region, Printer& printer) {
  CellListReader cells(record.entry.payload, record.entry.range.first);
  while (true) {
    const absl::StatusOr<const CellView*> cell = cells.Next();
    if (!cell.ok()) {
      return Annotate(
          cell.status(),
          absl::StrCat(place.segment, ": record at offset ", place.offset));
    }
    if (*cell == nullptr) return absl::OkStatus();
    printer.Row({Count{place.offset}, region, Count{(*cell)->number.value},
                 EscapeBytes((*cell)->row),
                 ColumnText({std::string((*cell)->family),
                             std::string((*cell)->qualifier)}),
                 Moment{(*cell)->timestamp},
                 std::string(CellKindName((*cell)->kind)),
                 EscapeBytes((*cell)->value)});
  }
}

absl::Status PrintLogCells(const LogScan& log, const RegionNames& names,
                           Printer& printer) {
  const auto print = [&](const LogRecord& record, const RecordPlace& place) {
    if (record.entry.type != LogEntryType::kCells) return absl::OkStatus();
    return PrintCellsOf(record, place, names.Of(record.entry.region), printer);
  };
  return PrintInTables(log,
                       {"offset", "region", "number", "row", "column",
                        "timestamp", "kind", "value"},
                       print, printer);
}

// A directory that holds no log, or none that is whole.
absl::Status NoLog(const std::string& directory, const LogScan& log) {
  std::string error = absl::StrCat(directory, ": there is no log in ",
                                   LogDirectory(kHostDirectory));
  if (!log.ignored_files().empty()) {
    absl::StrAppend(&error, "; the files there are no part of one: ",
                    absl::StrJoin(log.ignored_files(), ", "));
  }
  return absl::NotFoundError(error);
}

void PrintWhatThereIs(const LogScan& log, Printer& printer) {
  std::string sentence = absl::StrCat(
      "(", CountOf(log.segments().size(), "segment"), ", epoch ", log.epoch(),
      ", positions ", log.extent().first.value, " to ", log.extent().end.value);
  if (log.torn_bytes() > 0) {
    absl::StrAppend(&sentence, ", then ", CountOf(log.torn_bytes(), "byte"),
                    " of a write that a crash cut off");
  }
  sentence += ")";
  if (!log.ignored_files().empty()) {
    absl::StrAppend(&sentence, "\n(holding nothing of the log: ",
                    absl::StrJoin(log.ignored_files(), ", "), ")");
  }
  printer.Summary(sentence,
                  {{"segments", Count{log.segments().size()}},
                   {"epoch", Count{log.epoch()}},
                   {"first_position", Count{log.extent().first.value}},
                   {"end_position", Count{log.extent().end.value}},
                   {"torn_bytes", Count{log.torn_bytes()}},
                   {"ignored_files", Count{log.ignored_files().size()}}});
}

absl::Status RunWalDump(const std::string& directory, LogDetail detail,
                        const Console& console, Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(directory, console));
  SHALE_ASSIGN_OR_RETURN(
      const LogScan log,
      LogScan::Open(host->files(), LogDirectory(kHostDirectory)));
  if (log.segments().empty()) return NoLog(directory, log);
  const RegionNames names(*host);
  if (detail == LogDetail::kSegments) PrintSegments(log, printer);
  if (detail == LogDetail::kRecords) {
    SHALE_RETURN_IF_ERROR(PrintRecords(log, names, printer));
  }
  if (detail == LogDetail::kCells) {
    SHALE_RETURN_IF_ERROR(PrintLogCells(log, names, printer));
  }
  PrintWhatThereIs(log, printer);
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareWalDump(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  const LogDetail detail = FLAGS_cells     ? LogDetail::kCells
                           : FLAGS_records ? LogDetail::kRecords
                                           : LogDetail::kSegments;
  return [name, detail](Console& console, Printer& printer) {
    return RunWalDump(name.directory, detail, console, printer);
  };
}

}  // namespace

Command WalDumpCommand() {
  return {.name = "wal-dump",
          .group = CommandGroup::kInspect,
          .summary = "Print the log's segments, records or cells",
          .examples = {"wal-dump --dir=/tmp/ucd",
                       "wal-dump --dir=/tmp/ucd --records",
                       "wal-dump --dir=/tmp/ucd --cells --format=json"},
          .flags = {"dir", "records", "cells"},
          .prepare = PrepareWalDump};
}

}  // namespace shale
