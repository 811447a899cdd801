#ifndef SHALE_WAL_OPEN_WAL_H_
#define SHALE_WAL_OPEN_WAL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/wal.h"

namespace shale {

struct WalOptions {
  // A segment is closed once it holds this many bytes. Larger means fewer files
  // and a longer recovery. Range [64 KiB, 4 GiB].
  int64_t segment_bytes = 64 << 20;
  // More live segments than this: RegionsToFlush() names who pins them.
  int max_segments = 32;
  // Entries accepted and not yet durable, in bytes; Reserve waits beyond it.
  int64_t buffer_bytes = 64 << 20;
  // Threads that may each be blocked in a sync (engine `blocking`).
  int syncer_threads = 5;
  // A sync that takes longer poisons the log: its outcome is unknown.
  absl::Duration sync_timeout = absl::Minutes(5);
  // While stalled, how often space is looked for.
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

// Takes what recovery finds, one record at a time in log order.
class RecoverySink {
 public:
  virtual ~RecoverySink() = default;
  // False if all cells of the record are in store files already, or its region
  // is no more: the record isn't replayed and pins nothing.
  virtual bool Needs(const LogRecord& record) = 0;
  // A needed record; `record.position` is its position in the new generation.
  // The views are valid during the call. An error ends recovery.
  virtual absl::Status Replay(const LogRecord& record) = 0;
};

// What recovery did; for people and tests.
struct RecoveryReport {
  uint64_t epoch_read = 0;     // The generation replayed; 0: none.
  int64_t segments_read = 0;
  int64_t records_read = 0;
  int64_t records_replayed = 0;
  int64_t bytes_read = 0;
  // Bytes after the end of the log that no later record vouches for.
  int64_t torn_bytes = 0;
  // Files that belong to no generation in use; removed.
  std::vector<std::string> ignored_files;
};

// Opens the log in `directory` (owned by `token`, whose epoch becomes the new
// generation): reads the newest complete generation, appends what `sink` needs
// to a new one, makes that durable together with a `recovered` marker, and only
// then removes the old files. A crash at any moment leaves one complete
// generation. DATA_LOSS names file and offset where the log lies: bad bytes below
// a later valid record's durable_to or below a sealed length, a missing or cut
// middle file; then nothing is changed on disk.
absl::StatusOr<std::unique_ptr<Wal>> OpenWal(const WalOptions& options,
                                             const WalEnvironment& environment,
                                             absl::string_view directory,
                                             const OwnerToken& token,
                                             RecoverySink& sink,
                                             RecoveryReport* report);

}  // namespace shale

#endif  // SHALE_WAL_OPEN_WAL_H_
