#include "shale/region/host_metadata.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/host_layout.h"
#include "shale/region/manifest_codec.h"

namespace shale {

absl::StatusOr<Catalog> ReadCatalog(FileSystem& files, absl::string_view host) {
  absl::StatusOr<Catalog> catalog = Catalog::Open(files, host);
  if (!absl::IsNotFound(catalog.status())) return catalog;
  // The catalog comes first and never goes: where it is gone, so is the
  // knowledge which of the other files count.
  SHALE_ASSIGN_OR_RETURN(const std::vector<FileListing::Entry> others,
                         ListFiles(files, absl::StrCat(host, "/")));
  if (others.empty()) {
    return absl::NotFoundError(
        absl::StrCat(host, ": no catalog, so there is no host here"));
  }
  return absl::DataLossError(absl::StrCat(
      catalog.status().message(), ": it is missing, and ", others.size(),
      " other files are there, such as ", others.front().name));
}

absl::StatusOr<Manifest> ReadManifest(FileSystem& files, absl::string_view host,
                                      const Catalog::Entry& entry) {
  const absl::StatusOr<MetaObject> object =
      ReadMeta(files, ManifestName(RegionDirectory(host, entry.incarnation)));
  if (absl::IsNotFound(object.status())) {
    return absl::DataLossError(absl::StrCat(
        object.status().message(),
        ": it is missing, and the catalog names it for region ", entry.name));
  }
  SHALE_RETURN_IF_ERROR(object.status());
  SHALE_ASSIGN_OR_RETURN(Manifest manifest, DecodeManifest(*object));
  if (manifest.incarnation != entry.incarnation) {
    return absl::DataLossError(absl::StrCat(
        object->file, ": incarnation ", manifest.incarnation.ToString(),
        ", the catalog wants ", entry.incarnation.ToString()));
  }
  return manifest;
}

}  // namespace shale
