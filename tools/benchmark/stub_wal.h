#ifndef SHALE_TOOLS_BENCHMARK_STUB_WAL_H_
#define SHALE_TOOLS_BENCHMARK_STUB_WAL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/filesystem/owner_token.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"

namespace shale {

// A log that isn't one: it gives out positions, keeps nothing, and what is
// appended is durable as soon as somebody asks for it, in the thread that asks.
// What a commit then costs is the code around the log. For benchmarks only:
// nothing survives. Thread-safe.
class StubWal final : public Wal {
 public:
  // As RegionComponents::open_wal; touches no file and recovers nothing.
  static absl::StatusOr<std::unique_ptr<Wal>> Open(
      const WalOptions& options, const WalEnvironment& environment,
      absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
      RecoveryReport* report);

  void Reserve(int64_t payload_bytes, absl::Duration deadline,
               absl::AnyInvocable<void(absl::Status)> granted) override;
  void CancelReservation(int64_t) override {}
  absl::StatusOr<LogPosition> Append(const LogEntry& entry,
                                     int64_t reserved_bytes) override;
  void RequestSync(LogPosition position, SyncLevel level) override;
  void Sync(LogPosition position, SyncLevel level,
            absl::AnyInvocable<void(absl::Status)> done) override;
  LogPosition appended() const override;
  LogPosition durable() const override;
  LogHealth health() const override { return {}; }
  void AddListener(LogListener* listener) override;
  void RemoveListener(LogListener* listener) override;
  void Roll(absl::AnyInvocable<void(absl::Status)> done) override;
  absl::Status Close() override { return absl::OkStatus(); }

  // Nothing is ever needed for recovery.
  LogPosition StartFlush(const Uuid&, uint64_t) override { return appended(); }
  void FinishFlush(const Uuid&, uint64_t) override {}
  void ForgetRegion(const Uuid&) override {}
  LogPosition OldestNeeded(const Uuid&) const override { return appended(); }
  bool MustFlush(const Uuid&) const override { return false; }

 private:
  void MakeDurable(LogPosition position);

  mutable absl::Mutex mu_;  // A leaf.
  LogPosition appended_ ABSL_GUARDED_BY(mu_) = kLogStart;
  LogPosition durable_ ABSL_GUARDED_BY(mu_) = kLogStart;
  std::vector<LogListener*> listeners_ ABSL_GUARDED_BY(mu_);
  // Threads that are telling them; none may go meanwhile. A thread that is late
  // tells of a position that others have passed: listeners ignore that.
  int telling_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_STUB_WAL_H_
