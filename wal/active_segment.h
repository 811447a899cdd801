#ifndef SHALE_WAL_ACTIVE_SEGMENT_H_
#define SHALE_WAL_ACTIVE_SEGMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/base/completion.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/append_file.h"
#include "shale/wal/log_state.h"
#include "shale/wal/pending_record.h"
#include "shale/wal/segment_header.h"
#include "shale/wal/segment_writer.h"
#include "shale/wal/sync_ledger.h"
#include "shale/wal/wal.h"

namespace shale {

// The segment that a blocking engine writes: one thread writes records and
// hands out syncs, others run them. Its first failure is its end: whatever
// syncs of it still come back counts no more, so that the length at which its
// successor seals it is final.
class ActiveSegment {
 public:
  // A sync of everything up to `position`, at least.
  struct SyncTask {
    LogPosition position;
    SyncLevel level = SyncLevel::kData;
    absl::Duration handed_at;  // Monotonic.
  };

  // `file` is new and empty. `log` outlives this object.
  ActiveSegment(LogState& log, std::string name, const SegmentHeader& header,
                std::unique_ptr<AppendFile> file);

  // By the writing thread. What fails here is failure() from then on.
  bool WriteHeader() ABSL_LOCKS_EXCLUDED(mu_);
  bool Write(absl::Span<PendingRecord* const> records) ABSL_LOCKS_EXCLUDED(mu_);
  // The sync that somebody wants and that isn't handed out already; if
  // `forced`, as if everything was wanted.
  std::optional<SyncTask> NextSync(bool forced) ABSL_LOCKS_EXCLUDED(mu_);
  // Blocks until every sync handed out has ended, or the segment has failed.
  void AwaitSyncs() ABSL_LOCKS_EXCLUDED(mu_);
  // Begin to close the file, which is durable to its end; wait for that. An
  // error endangers no record and is only logged.
  void BeginFinish();
  void AwaitFinish();
  // Gives the file up. Not once it has joined the log.
  void Abandon() { writer_.file().Abandon(); }

  const std::string& name() const { return writer_.name(); }
  LogPosition end() const { return writer_.end(); }
  uint64_t record_bytes() const { return writer_.record_bytes(); }

  // By a syncer, once per task: syncs all that is written by now and reports to
  // the log, unless another sync covers what the task asks for. So tasks that
  // had to queue share one sync. False if the segment has failed.
  bool RunSync(const SyncTask& task) ABSL_LOCKS_EXCLUDED(mu_);

  // By anybody. The first cause stays.
  void Fail(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status failure() const ABSL_LOCKS_EXCLUDED(mu_);
  // Whether a sync has succeeded: the segment belongs to the log.
  bool joined() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  bool IsIdle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return tasks_ == 0 || !failure_.ok();
  }
  // Begins the sync of `task` in the ledger, with all that is written in
  // `position`. Nothing if it isn't needed; the task has ended then.
  std::optional<SyncLedger::Ticket> BeginSync(const SyncTask& task,
                                              LogPosition* position)
      ABSL_LOCKS_EXCLUDED(mu_);
  // The file's sync, counted and timed.
  absl::Status SyncFile(const SyncTask& task, LogPosition position);
  // Notes what a sync that ended with `status` means, unless the segment has
  // failed before it. Whether it counts.
  bool EndSync(SyncLedger::Ticket ticket, const absl::Status& status)
      ABSL_LOCKS_EXCLUDED(mu_);

  LogState& log_;
  SegmentWriter writer_;

  // Of the writing thread.
  LogPosition handed_data_;
  LogPosition handed_full_;
  std::unique_ptr<Waiter<absl::Status>> finish_;

  // Order: mu_ -> locks of log_.segments and log_.board.
  mutable absl::Mutex mu_;
  LogPosition written_ ABSL_GUARDED_BY(mu_);
  int64_t tasks_ ABSL_GUARDED_BY(mu_) = 0;  // Handed out and not ended.
  SyncLedger ledger_ ABSL_GUARDED_BY(mu_);
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
  bool joined_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_WAL_ACTIVE_SEGMENT_H_
