#ifndef SHALE_REGION_HOST_ENVIRONMENT_H_
#define SHALE_REGION_HOST_ENVIRONMENT_H_

#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// What a host stands on; all outlive it.
struct HostEnvironment {
  FileSystem& files;
  Clock& clock;
  // Runs callbacks and timers, nothing that blocks.
  Executor& executor;
  // Runs flushes, which block on I/O whose callbacks run on `executor`; so it
  // is another one, or has threads to spare.
  Executor& background;
  // Runs reads of store files for writes that have no thread of their own: as
  // `background`, which it is not, so that no read waits for a whole flush.
  Executor& readers;
  MetricsRegistry& metrics;
  LogSink& log;
};

}  // namespace shale

#endif  // SHALE_REGION_HOST_ENVIRONMENT_H_
