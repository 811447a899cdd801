#include "shale/tools/shale/store.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/cache/block_cache.h"
#include "shale/region/catalog.h"
#include "shale/region/host_layout.h"
#include "shale/region/manifest.h"
#include "shale/region/region_components.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/host_files.h"
#include "shale/tools/shale/store_file_check.h"

namespace shale {
namespace {

// The region meant by `name`, which may be empty.
absl::StatusOr<Catalog::Entry> Choose(absl::string_view name,
                                      const Catalog& catalog) {
  if (const Catalog::Entry* entry = catalog.Find(name)) return *entry;
  const std::vector<Catalog::Entry>& entries = catalog.entries();
  if (name.empty() && entries.size() == 1) return entries[0];
  std::vector<std::string> names;
  for (const Catalog::Entry& entry : entries) {
    names.push_back(EscapeBytes(entry.name));
  }
  const std::string there =
      names.empty() ? "there is none"
                    : absl::StrCat("there is ", absl::StrJoin(names, ", "));
  if (name.empty() && !entries.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("which region? --region is missing; ", there));
  }
  return absl::NotFoundError(
      name.empty()
          ? "there is no region"
          : absl::StrCat("no region ", EscapeBytes(name), "; ", there));
}

struct FoundRegion {
  Catalog::Entry entry;
  Manifest manifest;
};

absl::StatusOr<FoundRegion> Find(const StoreName& name, HostFiles& host) {
  SHALE_ASSIGN_OR_RETURN(const Catalog catalog, host.ReadCatalog());
  absl::StatusOr<Catalog::Entry> entry = Choose(name.region, catalog);
  if (!entry.ok()) return Annotate(entry.status(), name.directory);
  absl::StatusOr<Manifest> manifest = host.ReadManifest(*entry);
  if (!manifest.ok()) return Annotate(manifest.status(), name.directory);
  return FoundRegion{*std::move(entry), *std::move(manifest)};
}

}  // namespace

absl::StatusOr<StoreName> StoreNameFromFlags() {
  if (FLAGS_dir.empty()) return absl::InvalidArgumentError("--dir is missing");
  return StoreName{FLAGS_dir, FLAGS_region};
}

absl::StatusOr<RegionSchema> FindRegion(const StoreName& name,
                                        const Console& console) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(name.directory, console));
  SHALE_ASSIGN_OR_RETURN(const FoundRegion region, Find(name, *host));
  return region.manifest.schema();
}

absl::Status CheckRegionFiles(const StoreName& name, const Console& console) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<HostFiles> host,
                         HostFiles::Open(name.directory, console));
  SHALE_ASSIGN_OR_RETURN(const FoundRegion region, Find(name, *host));
  const std::string directory =
      RegionDirectory(kHostDirectory, region.entry.incarnation);
  const std::unique_ptr<BlockCache> cache =
      DefaultRegionComponents().cache(BlockCacheOptions());
  for (const ManifestFamily& family : region.manifest.families) {
    for (const ManifestFile& file : family.files) {
      const absl::Status checked =
          CheckStoreFile(host->files(), absl::StrCat(directory, file.name),
                         file.bytes, *cache, nullptr)
              .status();
      if (!checked.ok()) return Annotate(checked, name.directory);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFamilies(const RegionSchema& schema,
                           absl::Span<const std::string> families) {
  std::vector<std::string> there;
  for (const ColumnFamilyOptions& family : schema.families) {
    there.push_back(family.name);
  }
  for (const std::string& family : families) {
    if (!absl::c_linear_search(there, family)) {
      return absl::NotFoundError(absl::StrCat(
          "region ", schema.name, " has no column family ", EscapeBytes(family),
          "; it has ", absl::StrJoin(there, ", ")));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<LocalHost>> OpenHost(absl::string_view directory,
                                                    Access access,
                                                    absl::string_view command,
                                                    const Console& console) {
  HostOptions options;
  options.owner = absl::StrCat("shale ", command);
  options.create_if_missing = access == Access::kCreate;
  options.read_only = access == Access::kRead;
  return LocalHost::Open(ResolvePath(directory, console), std::move(options),
                         console.log);
}

absl::StatusOr<std::unique_ptr<Store>> Store::Open(
    const StoreName& name, Access access, absl::string_view command,
    const Console& console, absl::Span<const std::string> families) {
  SHALE_ASSIGN_OR_RETURN(const RegionSchema schema, FindRegion(name, console));
  SHALE_RETURN_IF_ERROR(CheckFamilies(schema, families));
  SHALE_ASSIGN_OR_RETURN(std::unique_ptr<LocalHost> host,
                         OpenHost(name.directory, access, command, console));
  absl::StatusOr<std::unique_ptr<Region>> region =
      host->host().OpenRegion(schema.name);
  if (!region.ok()) return Annotate(region.status(), name.directory);
  return std::make_unique<Store>(std::move(host), *std::move(region));
}

absl::Status Store::Close() {
  absl::Status status = region_->Close();
  region_.reset();
  status.Update(host_->host().Close());
  return status;
}

}  // namespace shale
