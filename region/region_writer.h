#ifndef SHALE_REGION_REGION_WRITER_H_
#define SHALE_REGION_REGION_WRITER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/alarm.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_lock_table.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/commit_pipeline.h"
#include "shale/region/compactor.h"
#include "shale/region/flusher.h"
#include "shale/region/health_monitor.h"
#include "shale/region/increment_protocol.h"
#include "shale/region/manifest_store.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/nonce_registry.h"
#include "shale/region/purge_clock.h"
#include "shale/region/region_counters.h"
#include "shale/region/region_reader.h"
#include "shale/region/region_replay.h"
#include "shale/region/region_stats.h"
#include "shale/region/region_stores.h"
#include "shale/region/space_reserve.h"
#include "shale/region/store_file_names.h"
#include "shale/wal/wal.h"

namespace shale {

// What the writing half of a region stands on; all outlive it.
struct RegionWriterServices {
  const RegionSchema& schema;
  const RegionOptions& options;
  const RegionFiles& files;
  Clock& clock;
  Executor& executor;
  Executor& background;
  Executor& readers;
  MetricsRegistry& metrics;
  LogSink& log;
  // HostOptions::trust_wall_clock.
  bool trust_wall_clock;
  CloseGate& gate;
  HealthMonitor& health;
  Wal& wal;
  Mvcc& mvcc;
  RegionStores& stores;
  const RegionReader& reader;
  StoreFileNames& names;
  SpaceReserve& reserve;
  RegionCounters& counters;
};

// The half of a region that changes it: commits, flushes, compactions, and what
// the log tells about them. A region that is open for inspection has none.
// Thread-safe.
class RegionWriter final : private LogListener {
 public:
  RegionWriter(const RegionWriterServices& services,
               std::unique_ptr<RowCommitSequencer> sequencer,
               std::unique_ptr<IncrementProtocol> increment,
               std::unique_ptr<ManifestStore> manifest);
  // REQUIRES: Close() was called.
  ~RegionWriter() override;

  // Begins to serve on top of what was replayed into the memstores.
  absl::Status Start(const ReplayedCells& replayed,
                     const std::vector<AppliedNonce>& nonces);

  void ApplyAsync(MutationBatch batch,
                  absl::AnyInvocable<void(ApplyResult)> done) {
    pipeline_.ApplyAsync(std::move(batch), std::move(done));
  }
  ApplyResult Apply(MutationBatch batch) {
    return pipeline_.Apply(std::move(batch));
  }
  // What a failed flush has frozen keeps the log from being trimmed, so it is
  // tried again in the background.
  absl::StatusOr<FlushResult> Flush();
  absl::StatusOr<CompactionResult> Compact() { return compactor_.Compact(); }

  WriteNumber flushed() const { return manifest_->current().flushed(); }
  int64_t increment_barrier_waits() const {
    return increment_->barrier_waits();
  }
  absl::string_view increment_name() const { return increment_->name(); }
  absl::string_view sequencer_name() const { return sequencer_->name(); }
  RowLockStats row_lock_stats() const { return locks_.stats(); }
  RowCommitSequencerStats sequencer_stats() const {
    return sequencer_->stats();
  }

  // Flushes what is left and tells the log that the region needs it no more.
  // REQUIRES: the gate is closed.
  absl::Status Close();

 private:
  void OnDurable(LogPosition durable) override;
  void OnHealth(const LogHealth& health) override;
  void OnNewSegment() override;

  void Poison(absl::Status cause);
  // REQUIRES: an operation is inside.
  void FlushInBackground();
  void FlushUnlessClosed();
  // After a flush that failed, unless none can succeed any more.
  void RetryFlush();
  MaintenanceServices maintenance();

  const RegionWriterServices s_;
  const Uuid incarnation_;
  std::unique_ptr<RowCommitSequencer> sequencer_;
  std::unique_ptr<IncrementProtocol> increment_;
  std::unique_ptr<ManifestStore> manifest_;
  RowLockTable locks_;
  WriteAdmission admission_;
  NonceRegistry nonces_;
  PurgeClock purge_clock_;
  CommitPipeline pipeline_;
  Flusher flusher_;
  Compactor compactor_;
  bool started_ = false;  // Written by Start, read by Close.
  // Set by the thread that schedules a background flush, cleared by that flush
  // when it is done, which then looks again whether there is need for another.
  std::atomic<bool> flush_scheduled_ = false;
  Alarm retry_;  // Last: of a flush that failed, or came too early.
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_WRITER_H_
