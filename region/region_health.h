#ifndef SHALE_REGION_REGION_HEALTH_H_
#define SHALE_REGION_REGION_HEALTH_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

enum class HealthState {
  kServing,
  kStalled,   // Writes wait for space; it resumes by itself.
  kPoisoned,  // Writes and flushes are refused; reads go on.
  kClosed,
};

absl::string_view HealthStateName(HealthState state);

// How a region is, since when and why.
struct RegionHealth {
  HealthState state = HealthState::kServing;
  // Why, for all but serving: the first error, naming file and errno.
  absl::Status cause;
  absl::Time since;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_HEALTH_H_
