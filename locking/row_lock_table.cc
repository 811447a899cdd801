#include "shale/locking/row_lock_table.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/check.h"
#include "shale/base/completion.h"
#include "shale/locking/lock_request.h"
#include "shale/locking/locked_row.h"
#include "shale/locking/row_lock_shard.h"

namespace shale {

// The rows of a request, each once. Views of the caller's.
class RowLockTable::SortedRows {
 public:
  explicit SortedRows(absl::Span<const absl::string_view> rows)
      : rows_(rows.begin(), rows.end()) {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  }

  absl::Span<const absl::string_view> all() const { return rows_; }
  absl::Span<const absl::string_view> from(size_t n) const {
    return all().subspan(n);
  }

 private:
  absl::InlinedVector<absl::string_view, 4> rows_;
};

RowLockTable::RowLockTable(const RowLockOptions& options, Clock& clock,
                           Executor& executor)
    : max_bypass_(options.max_bypass), clock_(clock), executor_(executor) {
  SHALE_CHECK(options.shards >= 1 && options.shards <= 4096)
      << "shards " << options.shards;
  SHALE_CHECK(options.max_bypass >= 0 && options.max_bypass <= 1 << 20)
      << "max_bypass " << options.max_bypass;
  for (int i = 0; i < options.shards; ++i) {
    shards_.push_back(
        std::make_unique<RowLockShard>(i, clock, executor, CarryOnAll));
  }
}

RowLockTable::~RowLockTable() = default;

RowLockTable::Ticket RowLockTable::Acquire(
    absl::Span<const absl::string_view> rows, LockMode mode, LockOwner owner,
    absl::Duration deadline, Granted granted) {
  const SortedRows sorted(rows);
  RowLocks locks(this, owner, mode);
  LockedRow* missing = nullptr;
  TakeAll(sorted, locks, missing);
  if (missing == nullptr) {
    granted(std::move(locks));
    return Ticket();
  }
  auto request = std::make_unique<LockRequest>();
  request->table = this;
  request->owner = owner;
  request->mode = mode;
  request->id = last_request_.fetch_add(1, std::memory_order_relaxed);
  request->since = clock_.Monotonic();
  request->deadline = deadline;
  request->granted = std::move(granted);
  request->cancelled = std::make_shared<std::atomic<bool>>(false);
  request->rows.push_back(missing);
  for (absl::string_view row : sorted.from(locks.rows_.size() + 1)) {
    RowLockShard& shard = ShardOf(row);
    absl::MutexLock lock(&shard.mu);
    request->rows.push_back(shard.Reference(row));
  }
  request->locks = std::move(locks);
  Ticket ticket;
  ticket.cancelled_ = request->cancelled;
  CarryOn(std::move(request));
  return ticket;
}

void RowLockTable::Cancel(const Ticket& ticket) {
  if (ticket.cancelled_ == nullptr) return;
  // Before the search: a request that joins a queue behind it sees this.
  ticket.cancelled_->store(true, std::memory_order_relaxed);
  LockRequestQueue ready;
  for (const std::unique_ptr<RowLockShard>& shard : shards_) {
    absl::MutexLock lock(&shard->mu);
    shard->EndWaiting(
        [&](const LockRequest& request, const LockedRow& row) {
          if (request.cancelled != ticket.cancelled_) return absl::OkStatus();
          return Cancelled(request, row);
        },
        ready);
  }
  CarryOnAll(ready);
}

absl::StatusOr<RowLocks> RowLockTable::TryAcquire(
    absl::Span<const absl::string_view> rows, LockMode mode, LockOwner owner) {
  RowLocks locks(this, owner, mode);
  LockedRow* missing = nullptr;
  TakeAll(SortedRows(rows), locks, missing);
  if (missing == nullptr) return locks;
  RowLockShard& shard = ShardOf(*missing);
  absl::MutexLock lock(&shard.mu);
  const absl::Status status =
      absl::UnavailableError(NoLockText(*missing, mode, absl::ZeroDuration()));
  shard.Unreference(missing);
  return status;
}

absl::StatusOr<RowLocks> RowLockTable::AcquireAndWait(
    absl::Span<const absl::string_view> rows, LockMode mode, LockOwner owner,
    absl::Duration deadline) {
  Waiter<absl::StatusOr<RowLocks>> granted;
  Acquire(rows, mode, owner, deadline, granted.callback());
  return granted.Wait();
}

RowLockShard& RowLockTable::ShardOf(absl::string_view row) const {
  // Not the low bits, by which the shard's own hash table goes.
  return *shards_[(absl::HashOf(row) >> 32) % shards_.size()];
}

RowLockShard& RowLockTable::ShardOf(const LockedRow& row) const {
  return *shards_[row.shard()];
}

void RowLockTable::TakeAll(const SortedRows& rows, RowLocks& locks,
                           LockedRow*& missing) {
  for (absl::string_view name : rows.all()) {
    RowLockShard& shard = ShardOf(name);
    absl::MutexLock lock(&shard.mu);
    LockedRow* const row = shard.Reference(name);
    if (row->Take(locks.owner_, locks.mode_, max_bypass_) !=
        LockedRow::Answer::kGranted) {
      missing = row;
      return;
    }
    locks.rows_.push_back(row);
  }
}

void RowLockTable::TakeNext(std::unique_ptr<LockRequest>& request) {
  LockedRow& row = *request->rows[request->next];
  RowLockShard& shard = ShardOf(row);
  absl::MutexLock lock(&shard.mu);
  switch (row.Take(request->owner, request->mode, max_bypass_)) {
    case LockedRow::Answer::kGranted:
      request->HoldNext();
      return;
    case LockedRow::Answer::kDeadlock:
      request->status = absl::FailedPreconditionError(
          absl::StrCat(NoLockText(row, request->mode, Waited(*request)),
                       ", another owner to upgrade its shared lock as well"));
      return;
    case LockedRow::Answer::kMustWait:
      break;
  }
  if (request->cancelled->load(std::memory_order_relaxed)) {
    request->status = Cancelled(*request, row);
  } else if (clock_.Monotonic() >= request->deadline) {
    request->status = absl::DeadlineExceededError(
        NoLockText(row, request->mode, Waited(*request)));
  } else {
    shard.Wait(std::move(request));
  }
}

void RowLockTable::CarryOn(std::unique_ptr<LockRequest> request) {
  RowLockTable& table = *request->table;
  while (request->status.ok() && request->next < request->rows.size()) {
    table.TakeNext(request);
    if (request == nullptr) return;
  }
  if (request->status.ok()) {
    request->granted(std::move(request->locks));
    return;
  }
  table.Unreference(absl::MakeSpan(request->rows).subspan(request->next));
  request->locks.Release();
  request->granted(std::move(request->status));
}

void RowLockTable::CarryOnAll(LockRequestQueue& ready) {
  // What this thread is working through, further up its stack.
  thread_local LockRequestQueue* working = nullptr;
  if (working != nullptr) {
    working->Append(ready);
    return;
  }
  working = &ready;
  for (int carried_on = 0; carried_on < kMaxCarriedOn; ++carried_on) {
    LockRequest* const request = ready.PopFront();
    if (request == nullptr) break;
    CarryOn(std::unique_ptr<LockRequest>(request));
  }
  working = nullptr;
  HandOver(ready);
}

void RowLockTable::HandOver(LockRequestQueue& ready) {
  while (LockRequest* request = ready.PopFront()) {
    request->table->executor_.Schedule([request] {
      LockRequestQueue one;
      one.PushBack(*request);
      CarryOnAll(one);
    });
  }
}

void RowLockTable::GiveBack(LockOwner owner, LockMode mode,
                            absl::Span<LockedRow* const> rows) {
  LockRequestQueue ready;
  for (LockedRow* row : rows) {
    RowLockShard& shard = ShardOf(*row);
    absl::MutexLock lock(&shard.mu);
    row->Release(owner, mode);
    RowLockShard::GrantWaiting(*row, ready);
    shard.Unreference(row);
  }
  CarryOnAll(ready);
}

void RowLockTable::Unreference(absl::Span<LockedRow* const> rows) {
  for (LockedRow* row : rows) {
    RowLockShard& shard = ShardOf(*row);
    absl::MutexLock lock(&shard.mu);
    shard.Unreference(row);
  }
}

absl::Duration RowLockTable::Waited(const LockRequest& request) const {
  return clock_.Monotonic() - request.since;
}

absl::Status RowLockTable::Cancelled(const LockRequest& request,
                                     const LockedRow& row) const {
  return absl::CancelledError(NoLockText(row, request.mode, Waited(request)));
}

RowLockStats RowLockTable::stats() const {
  RowLockStats stats;
  for (const std::unique_ptr<RowLockShard>& shard : shards_) {
    absl::MutexLock lock(&shard->mu);
    stats.rows += static_cast<int64_t>(shard->rows());
    stats.waits += shard->waits();
    stats.timeouts += shard->timeouts();
    stats.overtakes += shard->overtakes();
  }
  return stats;
}

}  // namespace shale
