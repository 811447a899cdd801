#include "shale/region/write_admission.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {

WriteAdmission::WriteAdmission(int64_t flush_bytes, int64_t blocking_bytes,
                               Executor& executor,
                               absl::AnyInvocable<void()> request_flush)
    : flush_bytes_(flush_bytes),
      blocking_bytes_(blocking_bytes),
      executor_(executor),
      request_flush_(std::move(request_flush)) {}

WriteAdmission::~WriteAdmission() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(waiters_.empty()) << waiters_.size() << " writes wait";
  mu_.Await(absl::Condition(
      +[](int64_t* timers) { return *timers == 0; }, &timers_));
}

void WriteAdmission::Admit(int64_t bytes, absl::Duration deadline,
                           absl::AnyInvocable<void(absl::Status)> granted) {
  absl::Status status;
  bool flush = false;
  {
    absl::MutexLock lock(&mu_);
    if (!failed_.ok()) {
      status = failed_;
    } else if (!waiters_.empty() || !HasRoom(bytes)) {
      Enqueue(bytes, deadline, std::move(granted));
      flush = true;
    } else {
      used_ += bytes;
      flush = used_ > flush_bytes_;
    }
  }
  if (flush) request_flush_();
  if (granted) granted(std::move(status));
}

void WriteAdmission::Enqueue(int64_t bytes, absl::Duration deadline,
                             absl::AnyInvocable<void(absl::Status)> granted) {
  const uint64_t id = ++last_id_;
  ++timers_;
  const TimerId timer =
      executor_.ScheduleAt(deadline, [this, id] { TimeOut(id); });
  waiters_.push_back({id, bytes, std::move(granted), timer, {}});
}

void WriteAdmission::TimeOut(uint64_t id) {
  {
    absl::MutexLock lock(&mu_);
    const absl::Status late = absl::ResourceExhaustedError(absl::StrCat(
        "memstores are full: ", used_, " of ", blocking_bytes_,
        " bytes in use, and no flush made room before the deadline"));
    for (auto it = waiters_.begin(); it != waiters_.end(); ++it) {
      if (it->id != id) continue;
      End(it, late);
      break;
    }
    AdmitThoseThatFit();  // It may have been the first, and in their way.
  }
  RunEnded();
  absl::MutexLock lock(&mu_);
  --timers_;
}

void WriteAdmission::Charge(int64_t bytes) {
  absl::MutexLock lock(&mu_);
  used_ += bytes;
}

void WriteAdmission::Release(int64_t bytes) {
  {
    absl::MutexLock lock(&mu_);
    used_ -= bytes;
    SHALE_CHECK(used_ >= 0) << used_ << " bytes in use";
    AdmitThoseThatFit();
  }
  RunEnded();
}

void WriteAdmission::Fail(absl::Status cause) {
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) failed_ = std::move(cause);
    while (!waiters_.empty()) End(waiters_.begin(), failed_);
  }
  RunEnded();
}

void WriteAdmission::AdmitThoseThatFit() {
  while (!waiters_.empty() && HasRoom(waiters_.front().bytes)) {
    used_ += waiters_.front().bytes;
    End(waiters_.begin(), absl::OkStatus());
  }
}

void WriteAdmission::End(Waiters::iterator waiter, absl::Status status) {
  waiter->status = std::move(status);
  ended_.splice(ended_.end(), waiters_, waiter);
}

void WriteAdmission::RunEnded() {
  absl::MutexLock lock(&mu_);
  if (running_ended_) return;  // Whoever does takes these too.
  running_ended_ = true;
  while (!ended_.empty()) {
    Waiter waiter = std::move(ended_.front());
    ended_.pop_front();
    mu_.Unlock();
    const bool cancelled = executor_.Cancel(waiter.timer);
    waiter.granted(std::move(waiter.status));
    mu_.Lock();
    if (cancelled) --timers_;
  }
  running_ended_ = false;
}

bool WriteAdmission::HasWaiters() const {
  absl::MutexLock lock(&mu_);
  return !waiters_.empty();
}

int64_t WriteAdmission::used() const {
  absl::MutexLock lock(&mu_);
  return used_;
}

}  // namespace shale
