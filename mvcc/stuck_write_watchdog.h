#ifndef SHALE_MVCC_STUCK_WRITE_WATCHDOG_H_
#define SHALE_MVCC_STUCK_WRITE_WATCHDOG_H_

#include "absl/time/time.h"
#include "shale/base/alarm.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/mvcc/mvcc.h"

namespace shale {

// Says when writes are stuck: a region that has gone silent must tell why. As
// often as a write could get too old, it logs one warning if there are any:
// whose the oldest is, its numbers, its age and what it waits for, and how many
// more there are.
class StuckWriteWatchdog {
 public:
  // How old a write gets before it counts as stuck: longer than any log takes
  // that is merely slow.
  static constexpr absl::Duration kDefaultAge = absl::Seconds(30);

  // All outlive it. `mvcc` measures ages by `clock`, which is the executor's.
  StuckWriteWatchdog(const Mvcc& mvcc, Clock& clock, Executor& executor,
                     LogSink& log, absl::Duration age = kDefaultAge);

 private:
  absl::Duration Look();

  const Mvcc& mvcc_;
  Clock& clock_;
  LogSink& log_;
  const absl::Duration age_;
  Alarm watchdog_;  // Last: it looks from here on, and no more once gone.
};

}  // namespace shale

#endif  // SHALE_MVCC_STUCK_WRITE_WATCHDOG_H_
