#include "shale/tools/shale/inspect_commands.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/region/region.h"
#include "shale/tools/console/new_printer.h"
#include "shale/tools/shale/family_spec.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/host_files.h"
#include "shale/tools/shale/store.h"

namespace shale {
namespace {

std::string FamilyText(const ColumnFamilyOptions& family) {
  const std::string options = FamilySpecText(family);
  return options.empty() ? family.name
                         : absl::StrCat(family.name, ":", options);
}

absl::Status RunRegions(const std::string& directory, const Console& console,
                        Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(directory, console));
  SHALE_ASSIGN_OR_RETURN(const Catalog catalog, host->ReadCatalog());
  printer.BeginTable({"region", "start_row", "end_row", "families"});
  for (const Catalog::Entry& entry : catalog.entries()) {
    SHALE_ASSIGN_OR_RETURN(const Manifest manifest, host->ReadManifest(entry));
    std::vector<std::string> families;
    for (const ManifestFamily& family : manifest.families) {
      families.push_back(FamilyText(family.options));
    }
    printer.Row({manifest.name, EscapeBytes(manifest.start_row),
                 EscapeBytes(manifest.end_row), absl::StrJoin(families, " ")});
  }
  printer.EndTable();
  if (catalog.entries().empty()) printer.Note("no regions");
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareRegions(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  return [name](Console& console, Printer& printer) {
    return RunRegions(name.directory, console, printer);
  };
}

void PrintStats(const Region& region, Printer& printer) {
  const RegionStats stats = region.Stats();
  const RegionHealth health = region.Health();
  std::vector<NamedValue> properties = {
      {"region", region.schema().name},
      {"start_row", EscapeBytes(region.schema().start_row)},
      {"end_row", EscapeBytes(region.schema().end_row)},
      {"health", std::string(HealthStateName(health.state))},
      {"read_point", Count{stats.read_point.value}},
      {"write_point", Count{stats.write_point.value}},
      {"flushed", Count{stats.flushed.value}}};
  if (!health.cause.ok()) {
    properties.push_back({"cause", std::string(health.cause.message())});
  }
  printer.Record(properties);
  printer.Note("");
  printer.BeginTable({"family", "memstore_bytes", "memstore_cells", "files",
                      "file_bytes", "file_cells"});
  for (const FamilyStats& family : stats.families) {
    printer.Row({family.name,
                 ByteSize{static_cast<uint64_t>(family.memstore_bytes)},
                 Count{static_cast<uint64_t>(family.memstore_cells)},
                 Count{static_cast<uint64_t>(family.files)},
                 ByteSize{static_cast<uint64_t>(family.file_bytes)},
                 Count{static_cast<uint64_t>(family.file_cells)}});
  }
  printer.EndTable();
}

absl::StatusOr<Action> PrepareStat(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  const bool metrics = FLAGS_metrics;
  if (metrics && FLAGS_format != "table") {
    return absl::InvalidArgumentError(
        "--metrics has a format of its own: leave out --format");
  }
  return [name, metrics](Console& console, Printer& printer) -> absl::Status {
    SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                           Store::Open(name, Access::kRead, "stat", console));
    if (metrics) {
      console.out << store->metrics().TextExposition();
    } else {
      PrintStats(store->region(), printer);
    }
    return absl::OkStatus();
  };
}

}  // namespace

Command RegionsCommand() {
  return {.name = "regions",
          .group = CommandGroup::kInspect,
          .summary = "List the regions in a directory",
          .examples = {"regions --dir=/tmp/ucd"},
          .flags = {"dir"},
          .prepare = PrepareRegions};
}

Command StatCommand() {
  return {.name = "stat",
          .group = CommandGroup::kInspect,
          .summary = "Print a region's health, write numbers and sizes",
          .details =
              "What is only in the log counts as memstore: it is read "
              "into memory for this.",
          .examples = {"stat --dir=/tmp/ucd", "stat --dir=/tmp/ucd --metrics"},
          .flags = {"dir", "region", "metrics"},
          .prepare = PrepareStat};
}

}  // namespace shale
