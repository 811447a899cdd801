#include "shale/region/nonce_registry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {

NonceRegistry::NonceRegistry(absl::Duration grace, Clock& clock,
                             Executor& executor)
    : grace_(grace), clock_(clock), executor_(executor) {}

NonceRegistry::~NonceRegistry() {
  absl::MutexLock lock(&mu_);
  for (const auto& [nonce, entry] : entries_) {
    SHALE_CHECK(entry.waiters.empty());
  }
  mu_.Await(absl::Condition(
      +[](int64_t* timers) { return *timers == 0; }, &timers_));
}

void NonceRegistry::Claim(Nonce nonce, absl::Duration deadline, Answer answer) {
  SHALE_CHECK(nonce.nonce != 0);
  absl::StatusOr<std::optional<NonceOutcome>> result;
  {
    absl::MutexLock lock(&mu_);
    ForgetExpired();
    const auto [it, is_new] = entries_.try_emplace(nonce);
    Entry& entry = it->second;
    if (!is_new && entry.outcome.has_value() &&
        entry.expires_at <= clock_.Monotonic()) {
      entry.outcome.reset();  // Not forgotten yet.
      result = std::nullopt;
    } else if (is_new) {
      result = std::nullopt;
    } else if (entry.outcome.has_value()) {
      result = entry.outcome;
    } else if (!failed_.ok()) {
      result = failed_;
    } else {
      return Wait(entry, nonce, deadline, std::move(answer));
    }
  }
  answer(std::move(result));
}

void NonceRegistry::Wait(Entry& entry, Nonce nonce, absl::Duration deadline,
                         Answer answer) {
  Waiter& waiter = entry.waiters.emplace_back();
  waiter.id = ++last_id_;
  waiter.answer = std::move(answer);
  ++timers_;
  waiter.timer = executor_.ScheduleAt(
      deadline, [this, nonce, id = waiter.id] { TimeOut(nonce, id); });
}

void NonceRegistry::TimeOut(Nonce nonce, uint64_t id) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    const auto entry = entries_.find(nonce);
    if (entry != entries_.end()) {
      Waiters& waiters = entry->second.waiters;
      const auto waiter =
          std::find_if(waiters.begin(), waiters.end(),
                       [id](const Waiter& w) { return w.id == id; });
      if (waiter != waiters.end()) {
        waiter->result = absl::DeadlineExceededError(
            absl::StrCat("an operation of nonce ", nonce.group, "/",
                         nonce.nonce, " is still running"));
        ended.splice(ended.end(), waiters, waiter);
      }
    }
  }
  Tell(std::move(ended));
  absl::MutexLock lock(&mu_);
  --timers_;
}

void NonceRegistry::Succeed(Nonce nonce, const NonceOutcome& outcome) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    Entry& entry = entries_[nonce];
    SHALE_CHECK(!entry.outcome.has_value());
    ended.swap(entry.waiters);
    Keep(nonce, entry, outcome, absl::ZeroDuration());
  }
  for (Waiter& waiter : ended) waiter.result = outcome;
  Tell(std::move(ended));
}

void NonceRegistry::Release(Nonce nonce) {
  Waiters next;
  {
    absl::MutexLock lock(&mu_);
    const auto entry = entries_.find(nonce);
    SHALE_CHECK(entry != entries_.end() && !entry->second.outcome.has_value());
    Waiters& waiters = entry->second.waiters;
    if (waiters.empty()) {
      entries_.erase(entry);
    } else {
      // The next one runs; the others wait for that.
      waiters.front().result = std::nullopt;
      next.splice(next.end(), waiters, waiters.begin());
    }
  }
  Tell(std::move(next));
}

void NonceRegistry::Restore(Nonce nonce, const NonceOutcome& outcome) {
  const absl::Duration age =
      clock_.Now() - absl::FromUnixMicros(outcome.commit_timestamp);
  if (age >= grace_) return;
  absl::MutexLock lock(&mu_);
  Keep(nonce, entries_[nonce], outcome, std::max(age, absl::ZeroDuration()));
}

void NonceRegistry::Fail(const absl::Status& cause) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) failed_ = cause;
    for (auto& [nonce, entry] : entries_) {
      ended.splice(ended.end(), entry.waiters);
    }
  }
  for (Waiter& waiter : ended) waiter.result = cause;
  Tell(std::move(ended));
}

void NonceRegistry::Keep(Nonce nonce, Entry& entry, const NonceOutcome& outcome,
                         absl::Duration age) {
  entry.outcome = outcome;
  entry.expires_at = clock_.Monotonic() + grace_ - age;
  expiries_.push_back({entry.expires_at, nonce});
}

void NonceRegistry::ForgetExpired() {
  const absl::Duration now = clock_.Monotonic();
  for (int i = 0; i < kForgottenPerClaim && !expiries_.empty() &&
                  expiries_.front().first <= now;
       ++i) {
    const auto entry = entries_.find(expiries_.front().second);
    // Restored twice, it may be gone, and run anew.
    if (entry != entries_.end() && entry->second.outcome.has_value() &&
        entry->second.expires_at <= now) {
      entries_.erase(entry);
    }
    expiries_.pop_front();
  }
}

void NonceRegistry::Tell(Waiters ended) {
  int64_t cancelled = 0;
  for (Waiter& waiter : ended) {
    if (executor_.Cancel(waiter.timer)) ++cancelled;
    waiter.answer(std::move(waiter.result));
  }
  // Only a timer left to be counted keeps the registry from going.
  if (cancelled == 0) return;
  absl::MutexLock lock(&mu_);
  timers_ -= cancelled;
}

size_t NonceRegistry::size() const {
  absl::MutexLock lock(&mu_);
  return entries_.size();
}

}  // namespace shale
