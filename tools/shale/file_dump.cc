#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_scanner.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/region/region_components.h"
#include "shale/storefile/store_file_layout.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/dump_commands.h"
#include "shale/tools/shale/flags.h"

namespace shale {
namespace {

enum class FileDetail { kInfo, kBlocks, kCells };

void PrintInfo(const std::string& file, const StoreFileLayout& layout,
               Printer& printer) {
  const StoreFileInfo& info = layout.info;
  printer.Record(
      {{"file", file},
       {"version", Count{layout.version}},
       {"family", EscapeBytes(info.family)},
       {"bytes", ByteSize{info.file_bytes}},
       {"created", Moment{info.created_at}},
       {"cells", Count{info.cells}},
       {"deletes", Count{info.deletes}},
       {"first_row", EscapeBytes(info.first_row)},
       {"last_row", EscapeBytes(info.last_row)},
       {"min_timestamp", Moment{info.min_timestamp}},
       {"max_timestamp", Moment{info.max_timestamp}},
       {"min_number", Count{info.min_number.value}},
       {"max_number", Count{info.max_number.value}},
       {"key_bytes", ByteSize{info.key_bytes}},
       {"value_bytes", ByteSize{info.value_bytes}},
       {"data_blocks", Count{info.data_blocks}},
       {"compression", std::string(CompressionName(info.compression))},
       {"bloom", std::string(BloomKindName(info.bloom))},
       {"includes_oldest", info.includes_oldest},
       {"index_levels", Count{static_cast<uint64_t>(layout.index_levels)}}});
}

absl::Status DumpBlocks(const std::string& file,
                        std::unique_ptr<ReadFile> bytes, FileDetail detail,
                        Printer& printer) {
  if (detail == FileDetail::kBlocks) {
    printer.BeginTable({"offset", "kind", "file_bytes", "raw_bytes",
                        "compression", "entries", "first_row"});
  }
  const auto visit = [&](const StoreFileBlock& block) {
    if (detail != FileDetail::kBlocks) return absl::OkStatus();
    PrintedValue first_row;
    if (!block.first_key.empty()) {
      first_row = EscapeBytes(CellKeyRow(block.first_key));
    }
    printer.Row({Count{block.offset}, std::string(BlockKindName(block.kind)),
                 Count{block.file_bytes}, Count{block.raw_bytes},
                 std::string(CompressionName(block.compression)),
                 Count{block.entries}, first_row});
    return absl::OkStatus();
  };
  SHALE_ASSIGN_OR_RETURN(const StoreFileLayout layout,
                         ReadStoreFileLayout(std::move(bytes), file, visit));
  if (detail == FileDetail::kInfo) PrintInfo(file, layout, printer);
  return absl::OkStatus();
}

absl::Status DumpCells(const std::string& file, std::unique_ptr<ReadFile> bytes,
                       Printer& printer) {
  const std::unique_ptr<BlockCache> cache =
      DefaultRegionComponents().cache(BlockCacheOptions());
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StoreFileReader> reader,
      OpenStoreFile(std::move(bytes), file, cache->NewFileId(), *cache));
  const std::unique_ptr<CellScanner> cells =
      reader->NewScanner({CacheFill::kNoFill});
  printer.BeginTable({"row", "column", "timestamp", "kind", "number", "value"});
  SHALE_RETURN_IF_ERROR(cells->Seek(""));
  while (const CellView* const cell = cells->cell()) {
    printer.Row(
        {EscapeBytes(cell->row),
         ColumnText({reader->info().family, std::string(cell->qualifier)}),
         Moment{cell->timestamp}, std::string(CellKindName(cell->kind)),
         Count{cell->number.value}, EscapeBytes(cell->value)});
    SHALE_RETURN_IF_ERROR(cells->Next());
  }
  return absl::OkStatus();
}

absl::Status RunFileDump(const std::string& file, FileDetail detail,
                         const Console& console, Printer& printer) {
  const std::string path = ResolvePath(file, console);
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  ThreadPoolExecutor executor(/*threads=*/1, console.clock);
  PosixFileSystemOptions options{executor, console.clock};
  options.read_only = true;
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<FileSystem> files,
                         PosixFileSystem::Open(directory, options));
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<ReadFile> bytes,
      OpenFile(*files, absl::string_view(path).substr(slash + 1)));
  return detail == FileDetail::kCells
             ? DumpCells(file, std::move(bytes), printer)
             : DumpBlocks(file, std::move(bytes), detail, printer);
}

absl::StatusOr<Action> PrepareFileDump(
    absl::Span<const std::string> arguments) {
  if (FLAGS_blocks && FLAGS_cells) {
    return absl::InvalidArgumentError("--blocks or --cells, not both");
  }
  const FileDetail detail = FLAGS_blocks  ? FileDetail::kBlocks
                            : FLAGS_cells ? FileDetail::kCells
                                          : FileDetail::kInfo;
  return [file = arguments[0], detail](Console& console, Printer& printer) {
    return RunFileDump(file, detail, console, printer);
  };
}

}  // namespace

Command FileDumpCommand() {
  return {.name = "file-dump",
          .group = CommandGroup::kInspect,
          .arguments = "FILE",
          .min_arguments = 1,
          .max_arguments = 1,
          .summary =
              "Print what a store file says of itself, its blocks or "
              "cells",
          .details = "FILE is a path; manifest-dump tells the names.",
          .examples = {"file-dump /tmp/ucd/host/regions/ID/FILE.store",
                       "file-dump FILE.store --blocks",
                       "file-dump FILE.store --cells --format=json"},
          .flags = {"blocks", "cells"},
          .prepare = PrepareFileDump};
}

}  // namespace shale
