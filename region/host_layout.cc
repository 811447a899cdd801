#include "shale/region/host_layout.h"

#include "absl/strings/str_cat.h"

namespace shale {

std::string LogDirectory(absl::string_view host) {
  return absl::StrCat(host, "/wal");
}

std::string RegionsDirectory(absl::string_view host) {
  return absl::StrCat(host, "/regions/");
}

std::string RegionDirectory(absl::string_view host, const Uuid& incarnation) {
  return absl::StrCat(RegionsDirectory(host), incarnation.ToString(), "/");
}

std::string ManifestName(absl::string_view region_directory) {
  return absl::StrCat(region_directory, "manifest");
}

}  // namespace shale
