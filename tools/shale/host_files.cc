#include "shale/tools/shale/host_files.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/manifest_codec.h"

namespace shale {

absl::StatusOr<std::unique_ptr<HostFiles>> HostFiles::Open(
    absl::string_view directory, const Console& console) {
  auto host = std::unique_ptr<HostFiles>(
      new HostFiles(ResolvePath(directory, console), console.clock));
  PosixFileSystemOptions options{host->executor_, console.clock};
  options.read_only = true;
  SHALE_ASSIGN_OR_RETURN(host->files_,
                         PosixFileSystem::Open(host->directory_, options));
  absl::StatusOr<std::unique_ptr<Lease>> lease =
      ShareLease(*host->files_, kHostDirectory);
  if (!lease.ok()) return Annotate(lease.status(), host->directory_);
  host->lease_ = *std::move(lease);
  return host;
}

HostFiles::HostFiles(std::string directory, Clock& clock)
    : directory_(std::move(directory)), executor_(/*threads=*/2, clock) {}

absl::StatusOr<OwnerToken> HostFiles::LastOwner() {
  return files_->LastOwner(std::string(kHostDirectory));
}

absl::StatusOr<Catalog> HostFiles::ReadCatalog() {
  absl::StatusOr<Catalog> catalog = Catalog::Open(*files_, kHostDirectory);
  if (!absl::IsNotFound(catalog.status())) {
    if (!catalog.ok()) return Annotate(catalog.status(), directory_);
    return catalog;
  }
  SHALE_ASSIGN_OR_RETURN(const std::vector<FileListing::Entry> files,
                         ListFiles(*files_, absl::StrCat(kHostDirectory, "/")));
  if (files.empty()) {
    return absl::NotFoundError(
        absl::StrCat(directory_, ": there are no regions here"));
  }
  return absl::DataLossError(absl::StrCat(directory_, ": ", kCatalogFile,
                                          ": it is missing, and ", files.size(),
                                          " other files are there"));
}

absl::StatusOr<Manifest> HostFiles::ReadManifest(const Catalog::Entry& entry) {
  const absl::StatusOr<MetaObject> object =
      ReadMeta(*files_, ManifestName(entry.incarnation));
  if (absl::IsNotFound(object.status())) {
    return absl::DataLossError(absl::StrCat(
        ManifestFileName(entry.incarnation),
        ": it is missing, and the catalog names it for region ", entry.name));
  }
  SHALE_RETURN_IF_ERROR(object.status());
  return DecodeManifest(*object);
}

std::string RegionDirectory(const Uuid& incarnation) {
  return absl::StrCat(kRegionsDirectory, "/", incarnation.ToString(), "/");
}

std::string ManifestName(const Uuid& incarnation) {
  return absl::StrCat(RegionDirectory(incarnation), "manifest");
}

std::string ManifestFileName(const Uuid& incarnation) {
  return absl::StrCat(RegionDirectory(incarnation), ".meta/manifest");
}

}  // namespace shale
