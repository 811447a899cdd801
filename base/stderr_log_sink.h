// Messages on standard error.
#ifndef SHALE_BASE_STDERR_LOG_SINK_H_
#define SHALE_BASE_STDERR_LOG_SINK_H_

#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"

namespace shale {

// Writes each message as one line, in one piece:
//   2026-11-30T14:02:11.123456Z warning wal: segment 12 is slow
class StderrLogSink final : public LogSink {
 public:
  // Takes the time from `clock`, which must outlive this object.
  explicit StderrLogSink(Clock& clock) : clock_(clock) {}

  void Log(Severity severity, absl::string_view source,
           absl::string_view message) override;

 private:
  Clock& clock_;
};

}  // namespace shale

#endif  // SHALE_BASE_STDERR_LOG_SINK_H_
