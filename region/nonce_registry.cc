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
    if (is_new) {
      result = std::nullopt;
    } else if (!entry.running && entry.expires_at <= clock_.Monotonic()) {
      entry = Entry();  // Not forgotten yet.
      result = std::nullopt;
    } else if (!entry.running) {
      result = entry.outcome();
    } else if (entry.appended() && !failed_.ok()) {
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
        waiter->result = absl::UnknownError(
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

void NonceRegistry::NoteAppended(const AppliedNonce& appended,
                                 LogPosition position) {
  absl::MutexLock lock(&mu_);
  Entry& entry = entries_[appended.nonce];
  SHALE_CHECK(entry.running && !entry.appended());
  entry.position = position;
  Keep(entry, appended, absl::ZeroDuration());
}

void NonceRegistry::LeaveUnconfirmed(Nonce nonce) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) return;
    ended.swap(entries_[nonce].waiters);
    for (Waiter& waiter : ended) waiter.result = failed_;
  }
  Tell(std::move(ended));
}

void NonceRegistry::Succeed(Nonce nonce, Rows rows) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    Entry& entry = entries_[nonce];
    SHALE_CHECK(entry.running && entry.appended());
    entry.running = false;
    KeepRows(entry, std::move(rows));
    ended.swap(entry.waiters);
    const NonceOutcome outcome = entry.outcome();
    for (Waiter& waiter : ended) waiter.result = outcome;
  }
  Tell(std::move(ended));
}

void NonceRegistry::Release(Nonce nonce) {
  Waiters next;
  {
    absl::MutexLock lock(&mu_);
    const auto entry = entries_.find(nonce);
    SHALE_CHECK(entry != entries_.end() && entry->second.running &&
                !entry->second.appended());
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

void NonceRegistry::Restore(const AppliedNonce& applied, Timestamp now) {
  const absl::Duration age = absl::FromUnixMicros(now) -
                             absl::FromUnixMicros(applied.commit_timestamp);
  if (age >= grace_) return;
  absl::MutexLock lock(&mu_);
  Entry& entry = entries_[applied.nonce];
  if (entry.range == applied.range) return;  // It is in both.
  entry.running = false;
  Keep(entry, applied, std::max(age, absl::ZeroDuration()));
}

std::vector<AppliedNonce> NonceRegistry::Appended(WriteNumber last) const {
  std::vector<AppliedNonce> appended;
  absl::MutexLock lock(&mu_);
  const absl::Duration now = clock_.Monotonic();
  for (auto expiry = expiries_.rbegin();
       expiry != expiries_.rend() && appended.size() < kMaxFlushed; ++expiry) {
    const auto& [expires_at, nonce] = *expiry;
    const auto found = entries_.find(nonce);
    if (found == entries_.end()) continue;
    const Entry& entry = found->second;
    // Others are of an entry before, or Restored again.
    if (!entry.appended() || entry.expires_at != expires_at) continue;
    if (expires_at <= now || entry.range.last > last) continue;
    appended.push_back({nonce, entry.range, entry.commit_timestamp});
  }
  std::reverse(appended.begin(), appended.end());
  return appended;
}

void NonceRegistry::Fail(const absl::Status& cause) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) {
      failed_ = absl::UnknownError(
          absl::StrCat("appended and never confirmed: ", cause.message()));
    }
    for (auto& [nonce, entry] : entries_) {
      if (entry.appended()) ended.splice(ended.end(), entry.waiters);
    }
    for (Waiter& waiter : ended) waiter.result = failed_;
  }
  Tell(std::move(ended));
}

void NonceRegistry::Keep(Entry& entry, const AppliedNonce& applied,
                         absl::Duration age) {
  entry.range = applied.range;
  entry.commit_timestamp = applied.commit_timestamp;
  entry.expires_at = clock_.Monotonic() + grace_ - age;
  expiries_.push_back({entry.expires_at, applied.nonce});
}

void NonceRegistry::KeepRows(Entry& entry, Rows rows) {
  size_t bytes = rows.size() * sizeof(RowResult);
  for (const RowResult& row : rows) {
    bytes += row.row.size();
    for (const Cell& cell : row.cells) {
      bytes += sizeof(Cell) + cell.row.size() + cell.family.size() +
               cell.qualifier.size() + cell.value.size() + cell.tags.size();
    }
  }
  if (bytes > kResultBytes) return;
  const auto kept = std::make_shared<const Rows>(std::move(rows));
  entry.rows = kept;
  kept_rows_.push_back({clock_.Monotonic() + grace_, bytes, kept});
  kept_bytes_ += bytes;
  while (kept_bytes_ > kAllResultBytes) ForgetOldestRows();
}

void NonceRegistry::ForgetOldestRows() {
  kept_bytes_ -= kept_rows_.front().bytes;
  kept_rows_.pop_front();
}

void NonceRegistry::ForgetExpired() {
  const absl::Duration now = clock_.Monotonic();
  for (int i = 0; i < kForgottenPerClaim && !expiries_.empty() &&
                  expiries_.front().first <= now;
       ++i) {
    const Nonce nonce = expiries_.front().second;
    expiries_.pop_front();
    const auto found = entries_.find(nonce);
    // Claimed anew it runs, and Restored twice it may be gone.
    if (found == entries_.end() || !found->second.appended()) continue;
    Entry& entry = found->second;
    if (entry.expires_at > now) continue;
    if (entry.running) {
      entry.expires_at = now + grace_;
      expiries_.push_back({entry.expires_at, nonce});
    } else {
      entries_.erase(found);
    }
  }
  for (int i = 0; i < kForgottenPerClaim && !kept_rows_.empty() &&
                  kept_rows_.front().expires_at <= now;
       ++i) {
    ForgetOldestRows();
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
