#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/region/host_layout.h"
#include "shale/region/manifest.h"
#include "shale/tools/shale/dump_commands.h"
#include "shale/tools/shale/family_spec.h"
#include "shale/tools/shale/host_files.h"
#include "shale/tools/shale/store.h"

namespace shale {
namespace {

void PrintManifest(const Manifest& manifest, Printer& printer) {
  printer.Record({{"region", manifest.name},
                  {"incarnation", manifest.incarnation.ToString()},
                  {"commit_id", manifest.commit_id.ToString()},
                  {"start_row", EscapeBytes(manifest.start_row)},
                  {"end_row", EscapeBytes(manifest.end_row)},
                  {"high_water", Count{manifest.high_water.value}},
                  {"first_needed", Count{manifest.first_needed.value}},
                  {"clock_floor", Moment{manifest.clock_floor}},
                  {"believed_time", Moment{manifest.believed_time}}});
  printer.Note("");
  printer.BeginTable({"family", "options", "flushed", "files"});
  for (const ManifestFamily& family : manifest.families) {
    printer.Row({family.options.name, FamilySpecText(family.options),
                 Count{family.flushed.value}, Count{family.files.size()}});
  }
  printer.EndTable();
  printer.Note("");
  printer.BeginTable({"family", "file", "bytes", "low", "high"});
  for (const ManifestFamily& family : manifest.families) {
    for (const ManifestFile& file : family.files) {
      printer.Row(
          {family.options.name,
           absl::StrCat(RegionDirectory(kHostDirectory, manifest.incarnation),
                        file.name),
           ByteSize{file.bytes}, EscapeBytes(file.low),
           EscapeBytes(file.high)});
    }
  }
  printer.EndTable();
}

absl::Status RunManifestDump(const StoreName& name, const Console& console,
                             Printer& printer) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(name.directory, console));
  SHALE_ASSIGN_OR_RETURN(const Catalog catalog, host->ReadCatalog());
  if (!name.region.empty() && catalog.Find(name.region) == nullptr) {
    return absl::NotFoundError(
        absl::StrCat(name.directory, ": no region ", EscapeBytes(name.region)));
  }
  bool first = true;
  for (const Catalog::Entry& entry : catalog.entries()) {
    if (!name.region.empty() && entry.name != name.region) continue;
    SHALE_ASSIGN_OR_RETURN(const Manifest manifest, host->ReadManifest(entry));
    if (!first) printer.Note("");
    first = false;
    PrintManifest(manifest, printer);
  }
  if (first) printer.Note("no regions");
  return absl::OkStatus();
}

absl::StatusOr<Action> PrepareManifestDump(absl::Span<const std::string>) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  return [name](Console& console, Printer& printer) {
    return RunManifestDump(name, console, printer);
  };
}

}  // namespace

Command ManifestDumpCommand() {
  return {.name = "manifest-dump",
          .group = CommandGroup::kInspect,
          .summary = "Print the manifest of a region, or of all",
          .details = "The manifest says which store files a region is made of.",
          .examples = {"manifest-dump --dir=/tmp/ucd"},
          .flags = {"dir", "region"},
          .prepare = PrepareManifestDump};
}

}  // namespace shale
