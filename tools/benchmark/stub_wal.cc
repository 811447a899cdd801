#include "shale/tools/benchmark/stub_wal.h"

#include <algorithm>

namespace shale {

absl::StatusOr<std::unique_ptr<Wal>> StubWal::Open(
    const WalOptions&, const WalEnvironment&, absl::string_view,
    const OwnerToken&, RecoverySink&, RecoveryReport*) {
  return std::make_unique<StubWal>();
}

void StubWal::Reserve(int64_t, absl::Duration,
                      absl::AnyInvocable<void(absl::Status)> granted) {
  granted(absl::OkStatus());
}

absl::StatusOr<LogPosition> StubWal::Append(const LogEntry& entry, int64_t) {
  absl::MutexLock lock(&mu_);
  appended_.value += entry.payload.size() + 1;
  return appended_;
}

void StubWal::RequestSync(LogPosition position, SyncLevel) {
  MakeDurable(position);
}

void StubWal::Sync(LogPosition position, SyncLevel,
                   absl::AnyInvocable<void(absl::Status)> done) {
  MakeDurable(position);
  done(absl::OkStatus());
}

void StubWal::MakeDurable(LogPosition position) {
  std::vector<LogListener*> listeners;
  {
    absl::MutexLock lock(&mu_);
    if (position <= durable_) return;
    durable_ = position;
    listeners = listeners_;
    ++telling_;
  }
  // May carry on other commits, down to their own RequestSync.
  for (LogListener* const listener : listeners) listener->OnDurable(position);
  absl::MutexLock lock(&mu_);
  --telling_;
}

LogPosition StubWal::appended() const {
  absl::MutexLock lock(&mu_);
  return appended_;
}

LogPosition StubWal::durable() const {
  absl::MutexLock lock(&mu_);
  return durable_;
}

void StubWal::AddListener(LogListener* listener) {
  absl::MutexLock lock(&mu_);
  listeners_.push_back(listener);
}

void StubWal::RemoveListener(LogListener* listener) {
  absl::MutexLock lock(&mu_);
  listeners_.erase(std::remove(listeners_.begin(), listeners_.end(), listener),
                   listeners_.end());
  mu_.Await(absl::Condition(
      +[](int* telling) { return *telling == 0; }, &telling_));
}

void StubWal::Roll(absl::AnyInvocable<void(absl::Status)> done) {
  done(absl::OkStatus());
}

}  // namespace shale
