// Where messages for the operator go.
#ifndef SHALE_BASE_LOG_SINK_H_
#define SHALE_BASE_LOG_SINK_H_

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

enum class Severity {
  kInfo,     // Worth knowing afterwards.
  kWarning,  // Worth a look; Shale copes.
  kError,    // Something is lost or refused until somebody acts.
};

// "info", "warning" or "error".
absl::string_view SeverityName(Severity severity);

// Thread-safe. A seam: StderrLogSink, NullLogSink, CapturingLogSink, and what a
// program brings along.
class LogSink {
 public:
  virtual ~LogSink() = default;

  // `source` names who speaks, such as "wal". `message` is one line without its
  // end, and tells the whole story by itself. Must not block for long: callers
  // may hold locks.
  virtual void Log(Severity severity, absl::string_view source,
                   absl::string_view message) = 0;
};

// Drops everything.
class NullLogSink final : public LogSink {
 public:
  void Log(Severity, absl::string_view, absl::string_view) override {}
};

}  // namespace shale

#endif  // SHALE_BASE_LOG_SINK_H_
