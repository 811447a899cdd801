// What a log knows, whatever its engine.
#ifndef SHALE_WAL_LOG_STATE_H_
#define SHALE_WAL_LOG_STATE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/live_segments.h"
#include "shale/wal/log_buffer.h"
#include "shale/wal/log_engine.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/segment_remover.h"
#include "shale/wal/sync_board.h"
#include "shale/wal/unflushed_tracker.h"
#include "shale/wal/wal_metrics.h"
#include "shale/wal/wal_options.h"

namespace shale {

// Which generation a log is to write.
struct LogGeneration {
  // The owner's, so that its epoch is the generation's.
  OwnerToken token;
  LogPosition start;
  // The generation that it is recovered from; 0: none.
  uint64_t source_epoch = 0;
};

// The parts that all engines share, and what connects them. Each part is
// thread-safe and guarded by a lock of its own; none is held while another
// part's callbacks run.
class LogState {
 public:
  // What `environment` refers to outlives it.
  LogState(const WalOptions& options, const WalEnvironment& environment,
           absl::string_view directory, const LogGeneration& generation);

  // To be called once, before anything else.
  void SetEngine(LogEngine& engine) { engine_ = &engine; }

  // Appends a marker of the log's own. Gives its position.
  LogPosition AppendMarker(LogEntryType type, absl::string_view payload = "");

  // By the engine, holding no lock: more is durable. Gives back room, removes
  // what isn't needed and tells everybody. How many entries it was.
  int64_t OnDurable();

  // Ends the log: nothing is accepted or confirmed from here on. By anybody,
  // holding no lock. The first cause stays. Poison() is for errors, and tells
  // the operator.
  void Poison(const absl::Status& cause);
  void End(const absl::Status& cause);

  // Begins to remove the segments that no region needs.
  void Trim();

  const WalOptions options;
  const WalEnvironment env;
  const std::string directory;
  const OwnerToken token;
  WalMetrics metrics;

  UnflushedTracker tracker;
  LiveSegments segments;
  SyncBoard board;
  LogBuffer buffer;  // After `board`, which it asks.

 private:
  // Why entries don't become durable.
  std::string WhyStuck() const;

  LogEngine* engine_ = nullptr;
  SegmentRemover remover_;
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_STATE_H_
