#ifndef SHALE_REGION_REGION_METRICS_H_
#define SHALE_REGION_REGION_METRICS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/base/metrics.h"
#include "shale/cache/block_cache.h"
#include "shale/region/region_health.h"
#include "shale/region/region_stats.h"

namespace shale {

// What a host's registry tells of a region, labelled with its name, some by
// family.
void AddRegionMetrics(const std::string& region, const RegionStats& stats,
                      const RegionHealth& health,
                      std::vector<MetricSample>& samples);

// The same of a host's block cache, labelled with the host's directory, some by
// the kind of block.
void AddCacheMetrics(const std::string& host, const BlockCacheStats& stats,
                     std::vector<MetricSample>& samples);

}  // namespace shale

#endif  // SHALE_REGION_REGION_METRICS_H_
