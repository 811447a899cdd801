#include "shale/region/region_host.h"

#include <utility>

#include "shale/base/status_macros.h"
#include "shale/region/host_core.h"

namespace shale {

absl::StatusOr<std::unique_ptr<RegionHost>> RegionHost::Open(
    const HostEnvironment& environment, const HostOptions& options) {
  SHALE_ASSIGN_OR_RETURN(std::unique_ptr<HostCore> core,
                         HostCore::Open(environment, options));
  return std::make_unique<RegionHost>(std::move(core));
}

RegionHost::RegionHost(std::unique_ptr<HostCore> core)
    : core_(std::move(core)) {}
RegionHost::~RegionHost() = default;

absl::Status RegionHost::CreateRegion(const RegionSchema& schema) {
  return core_->CreateRegion(schema);
}

absl::StatusOr<std::unique_ptr<Region>> RegionHost::OpenRegion(
    absl::string_view name, const RegionOptions& options) {
  return core_->OpenRegion(name, options);
}

std::vector<std::string> RegionHost::RegionNames() const {
  return core_->RegionNames();
}

BlockCache& RegionHost::cache() { return core_->cache(); }

const RecoveryReport& RegionHost::recovery() const { return core_->recovery(); }

absl::Status RegionHost::Close() { return core_->Close(); }

}  // namespace shale
