// The log, but for its engine.
#ifndef SHALE_WAL_SEGMENTED_WAL_H_
#define SHALE_WAL_SEGMENTED_WAL_H_

#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/alarm.h"
#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"
#include "shale/wal/log_engine.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_state.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// The implementation of Wal over segment files, for any engine. Destroyed
// without Close it makes nothing more durable, and whoever waits gets UNKNOWN.
class SegmentedWal final : public Wal {
 public:
  // A log in recovery: it doesn't count before FinishRecovery. `environment`
  // refers to what outlives it. REQUIRES: valid options.
  SegmentedWal(const WalOptions& options, const WalEnvironment& environment,
               absl::string_view directory, const LogGeneration& generation,
               const LogEngineFactory& new_engine);
  ~SegmentedWal() override;

  // Everything needed was appended: makes it durable, then the marker that says
  // so, then a record that vouches for the marker.
  absl::Status FinishRecovery();

  void Reserve(int64_t payload_bytes, absl::Duration deadline,
               absl::AnyInvocable<void(absl::Status)> granted) override;
  void CancelReservation(int64_t payload_bytes) override;
  absl::StatusOr<LogPosition> Append(const LogEntry& entry,
                                     int64_t reserved_bytes) override;
  void RequestSync(LogPosition position, SyncLevel level) override;
  void Sync(LogPosition position, SyncLevel level,
            absl::AnyInvocable<void(absl::Status)> done) override;
  LogPosition appended() const override;
  LogPosition durable() const override;
  LogHealth health() const override;
  void AddListener(LogListener* listener) override;
  void RemoveListener(LogListener* listener) override;
  void Roll(absl::AnyInvocable<void(absl::Status)> done) override;
  absl::Status Close() override ABSL_LOCKS_EXCLUDED(close_mu_);
  LogPosition StartFlush(const Uuid& region, uint64_t families) override;
  void FinishFlush(const Uuid& region, uint64_t families) override;
  void ForgetRegion(const Uuid& region) override;
  LogPosition OldestNeeded(const Uuid& region) const override;
  bool MustFlush(const Uuid& region) const override;

 private:
  void SyncIfCrowded(LogPosition position);
  // Blocks until all that was appended is durable. The health's cause if the
  // log is poisoned instead.
  absl::Status SyncAll();
  absl::Status CloseOnce();
  // Poisons the log if nothing becomes durable for too long. When to look
  // again.
  absl::Duration CheckProgress();

  LogState state_;
  std::unique_ptr<LogEngine> engine_;
  std::unique_ptr<Alarm> watchdog_;

  // Held while closing: order close_mu_ -> everything else.
  absl::Mutex close_mu_;
  bool closed_ ABSL_GUARDED_BY(close_mu_) = false;
  absl::Status close_status_ ABSL_GUARDED_BY(close_mu_);
};

}  // namespace shale

#endif  // SHALE_WAL_SEGMENTED_WAL_H_
