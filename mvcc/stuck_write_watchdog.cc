#include "shale/mvcc/stuck_write_watchdog.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace shale {

StuckWriteWatchdog::StuckWriteWatchdog(const Mvcc& mvcc, Clock& clock,
                                       Executor& executor, LogSink& log,
                                       absl::Duration age)
    : mvcc_(mvcc),
      clock_(clock),
      log_(log),
      age_(age),
      watchdog_(executor, [this] { return Look(); }) {
  watchdog_.RingBy(clock.Monotonic() + age);
}

absl::Duration StuckWriteWatchdog::Look() {
  const std::vector<std::string> stuck = mvcc_.StuckWrites(age_);
  if (!stuck.empty()) {
    log_.Log(
        Severity::kWarning, "mvcc",
        absl::StrCat(stuck.front(), "; stuck behind it: ", stuck.size() - 1));
  }
  return clock_.Monotonic() + age_;
}

}  // namespace shale
