#include "shale/base/testing/capturing_log_sink.h"

#include "absl/strings/str_cat.h"

namespace shale {

void CapturingLogSink::Log(Severity severity, absl::string_view source,
                           absl::string_view message) {
  absl::MutexLock lock(&mu_);
  lines_.push_back(
      absl::StrCat(SeverityName(severity), " ", source, ": ", message));
}

std::vector<std::string> CapturingLogSink::lines() const {
  absl::MutexLock lock(&mu_);
  return lines_;
}

}  // namespace shale
