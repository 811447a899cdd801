#include "shale/tools/shale/maintenance_commands.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/region/column_family.h"
#include "shale/region/region.h"
#include "shale/tools/shale/family_spec.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/store.h"

namespace shale {
namespace {

absl::Status RunCreate(const std::string& directory, const RegionSchema& schema,
                       const Console& console, Printer& printer) {
  const StoreName name{directory, schema.name};
  if (FindRegion(name, console).ok()) {
    return absl::AlreadyExistsError(
        absl::StrCat(directory, ": region ", schema.name, " exists already"));
  }
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<LocalHost> host,
      OpenHost(directory, Access::kCreate, "create", console));
  const absl::Status created = host->host().CreateRegion(schema);
  if (!created.ok()) return Annotate(created, directory);
  SHALE_RETURN_IF_ERROR(host->host().Close());
  printer.Summary(
      absl::StrCat("created region ", schema.name, " in ", directory),
      {{"region", EscapeBytes(schema.name)}});
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareCreate(absl::Span<const std::string> arguments) {
  SHALE_ASSIGN_OR_RETURN(const StoreName name, StoreNameFromFlags());
  RegionSchema schema;
  schema.name = name.region.empty() ? kDefaultRegion : name.region;
  SHALE_ASSIGN_OR_RETURN(schema.start_row, UnescapeBytes(FLAGS_start_row));
  SHALE_ASSIGN_OR_RETURN(schema.end_row, UnescapeBytes(FLAGS_end_row));
  for (const std::string& text : arguments) {
    SHALE_ASSIGN_OR_RETURN(ColumnFamilyOptions family, ParseFamilySpec(text));
    schema.families.push_back(std::move(family));
  }
  SHALE_RETURN_IF_ERROR(ValidateSchema(schema));
  return
      [directory = name.directory, schema](Console& console, Printer& printer) {
        return RunCreate(directory, schema, console, printer);
      };
}

absl::Status RunFlush(const StoreName& name, const Console& console,
                      Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(name, Access::kWrite, "flush", console));
  SHALE_ASSIGN_OR_RETURN(const FlushResult flush, store->region().Flush());
  SHALE_RETURN_IF_ERROR(store->Close());
  printer.Summary(
      flush.flushed
          ? absl::StrCat("flushed ", CountOf(flush.cells, "cell"), " into ",
                         CountOf(flush.files.size(), "file"), ", ",
                         SizeText(flush.bytes))
          : std::string("there was nothing to flush"),
      {{"flushed", flush.flushed},
       {"cells", Count{flush.cells}},
       {"files", Count{flush.files.size()}},
       {"bytes", ByteSize{flush.bytes}}});
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareFlush(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  return [name](Console& console, Printer& printer) {
    return RunFlush(name, console, printer);
  };
}

absl::Status RunCompact(const StoreName& name, const Console& console,
                        Printer& printer) {
  SHALE_RETURN_IF_ERROR(CheckRegionFiles(name, console));
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(name, Access::kWrite, "compact", console));
  SHALE_ASSIGN_OR_RETURN(const FlushResult flush, store->region().Flush());
  SHALE_ASSIGN_OR_RETURN(const CompactionResult result,
                         store->region().Compact());
  SHALE_RETURN_IF_ERROR(store->Close());
  printer.Summary(
      result.compacted
          ? absl::StrCat("compacted ", CountOf(result.input_files, "file"),
                         ", ", SizeText(result.input_bytes), ", into ",
                         CountOf(result.output_files, "file"), ", ",
                         SizeText(result.output_bytes), "; dropped ",
                         CountOf(result.dropped_cells, "cell"))
          : std::string("there was nothing to compact"),
      {{"compacted", result.compacted},
       {"flushed", flush.flushed},
       {"input_files", Count{result.input_files}},
       {"input_bytes", ByteSize{result.input_bytes}},
       {"output_files", Count{result.output_files}},
       {"output_bytes", ByteSize{result.output_bytes}},
       {"dropped_cells", Count{result.dropped_cells}}});
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareCompact(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  return [name](Console& console, Printer& printer) {
    return RunCompact(name, console, printer);
  };
}

}  // namespace

Command CreateCommand() {
  return {.name = "create",
          .group = CommandGroup::kMaintain,
          .arguments = "FAMILY[:OPTION=VALUE,...]...",
          .min_arguments = 1,
          .max_arguments = kManyArguments,
          .summary = "Make an empty region with its column families",
          .details = kFamilySpecHelp,
          .examples = {"create --dir=/tmp/ucd --region=ucd ucd",
                       "create --dir=/tmp/metrics raw:versions=3,ttl=30d meta"},
          .flags = {"dir", "region", "start_row", "end_row"},
          .prepare = PrepareCreate};
}

Command FlushCommand() {
  return {.name = "flush",
          .group = CommandGroup::kMaintain,
          .summary = "Write what is only in the log to store files",
          .examples = {"flush --dir=/tmp/ucd"},
          .flags = {"dir", "region"},
          .prepare = PrepareFlush};
}

Command CompactCommand() {
  return {.name = "compact",
          .group = CommandGroup::kMaintain,
          .summary = "Flush, then merge each family's files into one",
          .details =
              "Deleted, expired and superseded cells are gone afterwards. "
              "All files are read\nand checked first: nothing is written if "
              "one is damaged.",
          .examples = {"compact --dir=/tmp/ucd"},
          .flags = {"dir", "region"},
          .prepare = PrepareCompact};
}

}  // namespace shale
