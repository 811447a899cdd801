// Where a host keeps what in its file system. `host`: HostOptions::directory.
#ifndef SHALE_REGION_HOST_LAYOUT_H_
#define SHALE_REGION_HOST_LAYOUT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/uuid.h"

namespace shale {

// "host/wal".
std::string LogDirectory(absl::string_view host);
// "host/regions/", of all regions, and "host/regions/<incarnation>/".
std::string RegionsDirectory(absl::string_view host);
std::string RegionDirectory(absl::string_view host, const Uuid& incarnation);
// The metadata object in a region's directory.
std::string ManifestName(absl::string_view region_directory);

}  // namespace shale

#endif  // SHALE_REGION_HOST_LAYOUT_H_
