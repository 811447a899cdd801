// Messages kept for a test to look at.
#ifndef SHALE_BASE_TESTING_CAPTURING_LOG_SINK_H_
#define SHALE_BASE_TESTING_CAPTURING_LOG_SINK_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/log_sink.h"

namespace shale {

// Thread-safe.
class CapturingLogSink final : public LogSink {
 public:
  void Log(Severity severity, absl::string_view source,
           absl::string_view message) override ABSL_LOCKS_EXCLUDED(mu_);

  // Everything so far, in order, each as "severity source: message".
  std::vector<std::string> lines() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  mutable absl::Mutex mu_;  // A leaf.
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_TESTING_CAPTURING_LOG_SINK_H_
