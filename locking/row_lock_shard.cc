#include "shale/locking/row_lock_shard.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/escape.h"

namespace shale {
namespace {

// Entries kept for reuse, and the longest key that one may keep room for.
constexpr size_t kUnusedRows = 32;
constexpr size_t kUnusedRowBytes = 1024;

}  // namespace

RowLockShard::RowLockShard(size_t index, Clock& clock, Executor& timers,
                           void (*carry_on)(LockRequestQueue&))
    : index_(index), clock_(clock), timers_(timers), carry_on_(carry_on) {}

RowLockShard::~RowLockShard() {
  absl::MutexLock lock(&mu);
  SHALE_CHECK(rows_.empty()) << rows_.size() << " rows are locked, such as \""
                             << EscapeBytes(rows_.begin()->first) << "\"";
  if (timers_.Cancel(timer_)) --timer_tasks_;
  mu.Await(absl::Condition(
      +[](int64_t* tasks) { return *tasks == 0; }, &timer_tasks_));
}

LockedRow* RowLockShard::Reference(absl::string_view row) {
  auto found = rows_.find(row);
  if (found == rows_.end()) {
    std::unique_ptr<LockedRow> unused;
    if (unused_.empty()) {
      unused = std::make_unique<LockedRow>();
    } else {
      unused = std::move(unused_.back());
      unused_.pop_back();
    }
    unused->Reset(row, index_);
    const absl::string_view key = unused->row();
    found = rows_.emplace(key, std::move(unused)).first;
  }
  LockedRow* const locked = found->second.get();
  ++locked->references();
  return locked;
}

void RowLockShard::Unreference(LockedRow* row) {
  if (--row->references() > 0) return;
  overtakes_ += row->overtakings();
  const auto found = rows_.find(row->row());
  std::unique_ptr<LockedRow> unused = std::move(found->second);
  rows_.erase(found);
  if (unused_.size() < kUnusedRows && row->row().size() <= kUnusedRowBytes) {
    unused_.push_back(std::move(unused));
  }
}

void RowLockShard::Wait(std::unique_ptr<LockRequest> request) {
  ++waits_;
  SetTimer(request->deadline);
  LockedRow& row = *request->rows[request->next];
  row.Wait(*request.release());
}

void RowLockShard::GrantWaiting(LockedRow& row, LockRequestQueue& ready) {
  while (LockRequest* request = row.GrantNext()) {
    request->HoldNext();
    ready.PushBack(*request);
  }
}

void RowLockShard::EndWaiting(
    absl::FunctionRef<absl::Status(const LockRequest&, const LockedRow&)> why,
    LockRequestQueue& ready) {
  std::vector<LockRequest*> ended;
  for (const auto& [name, row] : rows_) {
    for (LockRequest* request = row->first_waiting(); request != nullptr;
         request = request->next_in_queue) {
      request->status = why(*request, *row);
      if (!request->status.ok()) ended.push_back(request);
    }
  }
  std::sort(ended.begin(), ended.end(),
            [](LockRequest* a, LockRequest* b) { return a->id < b->id; });
  for (LockRequest* request : ended) {
    request->rows[request->next]->StopWaiting(*request);
    ready.PushBack(*request);
  }
  for (size_t i = 0; i < ended.size(); ++i) {
    GrantWaiting(*ended[i]->rows[ended[i]->next], ready);
  }
}

int64_t RowLockShard::overtakes() const {
  uint64_t overtakes = overtakes_;
  for (const auto& [name, row] : rows_) overtakes += row->overtakings();
  return static_cast<int64_t>(overtakes);
}

void RowLockShard::SetTimer(absl::Duration deadline) {
  if (deadline >= timer_deadline_) return;
  if (timer_deadline_ != absl::InfiniteDuration()) {
    // If it can't be stopped, it is about to lock mu and sets the next itself.
    if (!timers_.Cancel(timer_)) return;
    --timer_tasks_;
  }
  ++timer_tasks_;
  timer_deadline_ = deadline;
  timer_ = timers_.ScheduleAt(deadline, [this] { OnTimer(); });
}

void RowLockShard::OnTimer() {
  LockRequestQueue ready;
  {
    absl::MutexLock lock(&mu);
    timer_deadline_ = absl::InfiniteDuration();
    const absl::Duration now = clock_.Monotonic();
    absl::Duration earliest = absl::InfiniteDuration();
    int64_t timeouts = 0;
    EndWaiting(
        [&](const LockRequest& request, const LockedRow& row) {
          if (request.deadline <= now) {
            ++timeouts;
            return absl::DeadlineExceededError(
                NoLockText(row, request.mode, now - request.since));
          }
          earliest = std::min(earliest, request.deadline);
          return absl::OkStatus();
        },
        ready);
    timeouts_ += timeouts;
    SetTimer(earliest);
  }
  carry_on_(ready);
  absl::MutexLock lock(&mu);
  --timer_tasks_;
}

std::string NoLockText(const LockedRow& row, LockMode mode,
                       absl::Duration waited) {
  return absl::StrCat("row \"", EscapeBytes(row.row()), "\": no ",
                      mode == LockMode::kExclusive ? "exclusive" : "shared",
                      " lock after ", absl::FormatDuration(waited), ": ",
                      row.Describe());
}

}  // namespace shale
