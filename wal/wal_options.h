#ifndef SHALE_WAL_WAL_OPTIONS_H_
#define SHALE_WAL_WAL_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// How a log uses memory, files and threads.
struct WalOptions {
  // A segment is closed once it holds this many bytes. Larger means fewer files
  // and a longer recovery. Range [64 KiB, 4 GiB].
  int64_t segment_bytes = 64 << 20;
  // More live segments than this: regions that pin the oldest must flush. >= 1.
  int max_segments = 32;
  // Room for entries that are reserved, or appended and not yet durable;
  // Reserve waits beyond it. Range [64 KiB, 1 GiB].
  int64_t buffer_bytes = 64 << 20;
  // Threads that may each be blocked in a sync (engine `blocking`). More begin
  // each sync sooner, fewer let more entries share it. Range [1, 64].
  int syncer_threads = 3;
  // If a sync is wanted for this long and nothing becomes durable, the log is
  // poisoned: the outcome is unknown. > 0.
  absl::Duration sync_timeout = absl::Minutes(5);
  // While stalled, how often space is looked for. > 0.
  absl::Duration stall_retry = absl::Milliseconds(100);
};

// What a log stands on; all outlive it.
struct WalEnvironment {
  FileSystem& files;
  Clock& clock;
  Executor& executor;
  MetricsRegistry& metrics;
  LogSink& log;
};

// INVALID_ARGUMENT naming the first option that is out of its range.
absl::Status ValidateWalOptions(const WalOptions& options);

}  // namespace shale

#endif  // SHALE_WAL_WAL_OPTIONS_H_
