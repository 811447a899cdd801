#include "shale/tools/shale/host_files.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/host_layout.h"
#include "shale/region/host_metadata.h"

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
  absl::StatusOr<Catalog> catalog = shale::ReadCatalog(*files_, kHostDirectory);
  if (absl::IsNotFound(catalog.status())) {
    return absl::NotFoundError(
        absl::StrCat(directory_, ": there are no regions here"));
  }
  if (!catalog.ok()) return Annotate(catalog.status(), directory_);
  return catalog;
}

absl::StatusOr<Manifest> HostFiles::ReadManifest(const Catalog::Entry& entry) {
  return shale::ReadManifest(*files_, kHostDirectory, entry);
}

std::string ManifestFileName(const Uuid& incarnation) {
  return absl::StrCat(RegionDirectory(kHostDirectory, incarnation),
                      ".meta/manifest");
}

}  // namespace shale
