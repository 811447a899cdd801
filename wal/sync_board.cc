#include "shale/wal/sync_board.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace shale {

SyncBoard::SyncBoard(LogPosition start, Clock& clock)
    : clock_(clock),
      durable_{start, start},
      wanted_{start, start},
      told_durable_(start) {}

bool SyncBoard::Want(LogPosition position, SyncLevel level) {
  absl::MutexLock lock(&mu_);
  return WantLocked(position, level);
}

bool SyncBoard::WantLocked(LogPosition position, SyncLevel level) {
  if (position <= durable_[Index(level)] ||
      health_.state == LogHealth::State::kPoisoned) {
    return false;
  }
  if (!IsWaiting()) waiting_since_ = clock_.Monotonic();
  LogPosition& wanted = wanted_[Index(level)];
  wanted = std::max(wanted, position);
  return true;
}

bool SyncBoard::Wait(LogPosition position, SyncLevel level, Done done) {
  absl::Status decided;
  {
    absl::MutexLock lock(&mu_);
    if (WantLocked(position, level)) {
      waiters_[Index(level)].emplace(position, std::move(done));
      return true;
    }
    if (position > durable_[Index(level)]) {
      decided = absl::UnknownError(
          absl::StrCat("the log is poisoned: ", health_.cause.ToString()));
    }
  }
  done(decided);
  return false;
}

LogPosition SyncBoard::wanted(SyncLevel level) const {
  absl::MutexLock lock(&mu_);
  return wanted_[Index(level)];
}

LogPosition SyncBoard::durable(SyncLevel level) const {
  absl::MutexLock lock(&mu_);
  return durable_[Index(level)];
}

LogHealth SyncBoard::health() const {
  absl::MutexLock lock(&mu_);
  return health_;
}

absl::Duration SyncBoard::waiting_since() const {
  absl::MutexLock lock(&mu_);
  const bool serving = health_.state == LogHealth::State::kServing;
  return serving && IsWaiting() ? waiting_since_ : absl::InfiniteDuration();
}

bool SyncBoard::IsWaiting() const {
  return wanted_[0] > durable_[0] || wanted_[1] > durable_[1];
}

void SyncBoard::Advance(LogPosition data, LogPosition full) {
  absl::MutexLock lock(&mu_);
  if (health_.state == LogHealth::State::kPoisoned) return;
  LogPosition& durable_data = durable_[Index(SyncLevel::kData)];
  LogPosition& durable_full = durable_[Index(SyncLevel::kFull)];
  if (data <= durable_data && full <= durable_full) return;
  durable_full = std::max(durable_full, full);
  durable_data = std::max({durable_data, data, durable_full});
  waiting_since_ = clock_.Monotonic();
}

void SyncBoard::SetHealth(LogHealth::State state, const absl::Status& cause) {
  absl::MutexLock lock(&mu_);
  if (health_.state == state || health_.state == LogHealth::State::kPoisoned) {
    return;
  }
  health_ = {state, cause, clock_.Now()};
  waiting_since_ = clock_.Monotonic();
  untold_health_.push_back(health_);
}

void SyncBoard::NoteSegment() {
  absl::MutexLock lock(&mu_);
  untold_segment_ = true;
}

SyncBoard::News SyncBoard::TakeNews() {
  News news;
  news.durable = durable_[Index(SyncLevel::kData)];
  news.advanced = news.durable > told_durable_;
  told_durable_ = news.durable;
  news.segment = std::exchange(untold_segment_, false);
  news.health.swap(untold_health_);
  for (int level = 0; level < kLevels; ++level) {
    auto& waiters = waiters_[level];
    const auto decided = waiters.upper_bound(durable_[level]);
    for (auto w = waiters.begin(); w != decided; ++w) {
      news.done.emplace_back(std::move(w->second), absl::OkStatus());
    }
    waiters.erase(waiters.begin(), decided);
    if (health_.state != LogHealth::State::kPoisoned) continue;
    for (auto& [position, done] : waiters) {
      news.done.emplace_back(std::move(done), absl::UnknownError(absl::StrCat(
                                                  "the log is poisoned: ",
                                                  health_.cause.ToString())));
    }
    waiters.clear();
  }
  return news;
}

void SyncBoard::Tell(News news, const std::vector<LogListener*>& listeners) {
  for (LogListener* listener : listeners) {
    if (news.advanced) listener->OnDurable(news.durable);
    for (const LogHealth& health : news.health) listener->OnHealth(health);
    if (news.segment) listener->OnNewSegment();
  }
  for (auto& [done, status] : news.done) done(std::move(status));
}

void SyncBoard::Deliver() {
  mu_.Lock();
  if (!delivering_) {
    delivering_ = true;
    for (News news = TakeNews(); !news.empty(); news = TakeNews()) {
      const std::vector<LogListener*> listeners = listeners_;
      mu_.Unlock();
      Tell(std::move(news), listeners);
      mu_.Lock();
      ++rounds_;
    }
    delivering_ = false;
  }
  mu_.Unlock();
}

void SyncBoard::AddListener(LogListener* listener) {
  absl::MutexLock lock(&mu_);
  listeners_.push_back(listener);
}

void SyncBoard::RemoveListener(LogListener* listener) {
  absl::MutexLock lock(&mu_);
  listeners_.erase(std::remove(listeners_.begin(), listeners_.end(), listener),
                   listeners_.end());
  // The round under way may still know it.
  const auto is_over = [this, round = rounds_]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(
                           mu_) { return !delivering_ || rounds_ != round; };
  mu_.Await(absl::Condition(&is_over));
}

}  // namespace shale
