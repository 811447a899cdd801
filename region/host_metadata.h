// What a host says of itself, read and held against each other. Changes
// nothing.
#ifndef SHALE_REGION_HOST_METADATA_H_
#define SHALE_REGION_HOST_METADATA_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/catalog.h"
#include "shale/region/manifest.h"

namespace shale {

// As Catalog::Open. NOT_FOUND only if there is no other file of the host
// either, so no host; DATA_LOSS if there is.
absl::StatusOr<Catalog> ReadCatalog(FileSystem& files, absl::string_view host);

// The manifest of a region of the catalog. As DecodeManifest; DATA_LOSS too if
// it is missing or another region's.
absl::StatusOr<Manifest> ReadManifest(FileSystem& files, absl::string_view host,
                                      const Catalog::Entry& entry);

}  // namespace shale

#endif  // SHALE_REGION_HOST_METADATA_H_
