#include "shale/tools/shale/host_files.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/posix_file_system.h"
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

absl::StatusOr<Catalog> HostFiles::ReadCatalog() {
  absl::StatusOr<Catalog> catalog = Catalog::Open(*files_, kHostDirectory);
  if (catalog.ok()) return catalog;
  if (absl::IsNotFound(catalog.status())) {
    return absl::NotFoundError(
        absl::StrCat(directory_, ": there are no regions here"));
  }
  return Annotate(catalog.status(), directory_);
}

absl::StatusOr<Manifest> HostFiles::ReadManifest(const Catalog::Entry& entry) {
  const std::string name = ManifestName(entry.incarnation);
  SHALE_ASSIGN_OR_RETURN(const MetaObject object, ReadMeta(*files_, name));
  return DecodeManifest(name, object.bytes);
}

std::string RegionDirectory(const Uuid& incarnation) {
  return absl::StrCat(kRegionsDirectory, "/", incarnation.ToString(), "/");
}

std::string ManifestName(const Uuid& incarnation) {
  return absl::StrCat(RegionDirectory(incarnation), "manifest");
}

}  // namespace shale
