// Small helpers on absl::Status.
#ifndef SHALE_BASE_STATUS_UTIL_H_
#define SHALE_BASE_STATUS_UTIL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// `status` with its message turned into "context: message"; code and payloads
// stay. An OK status stays OK. Each layer adds its context once.
absl::Status Annotate(absl::Status status, absl::string_view context);

}  // namespace shale

#endif  // SHALE_BASE_STATUS_UTIL_H_
