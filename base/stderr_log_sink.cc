#include "shale/base/stderr_log_sink.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace shale {

void StderrLogSink::Log(Severity severity, absl::string_view source,
                        absl::string_view message) {
  const std::string line = absl::StrCat(
      absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", clock_.Now(),
                       absl::UTCTimeZone()),
      " ", SeverityName(severity), " ", source, ": ", message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace shale
