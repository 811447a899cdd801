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
  waiters_.push_back({id, bytes, std::move(granted), timer});
}

void WriteAdmission::TimeOut(uint64_t id) {
  Waiters ended;
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    for (auto it = waiters_.begin(); it != waiters_.end(); ++it) {
      if (it->id != id) continue;
      status = absl::ResourceExhaustedError(
          absl::StrCat("memstores are full: ", used_, " of ", blocking_bytes_,
                       " bytes in use, a write of ", it->bytes,
                       " waited until its deadline for a flush"));
      ended.splice(ended.end(), waiters_, it);
      break;
    }
  }
  for (Waiter& waiter : ended) waiter.granted(status);
  absl::MutexLock lock(&mu_);
  --timers_;
}

void WriteAdmission::Charge(int64_t bytes) {
  absl::MutexLock lock(&mu_);
  used_ += bytes;
}

void WriteAdmission::Release(int64_t bytes) {
  Waiters admitted;
  {
    absl::MutexLock lock(&mu_);
    used_ -= bytes;
    SHALE_CHECK(used_ >= 0) << used_ << " bytes in use";
    while (!waiters_.empty() && HasRoom(waiters_.front().bytes)) {
      used_ += waiters_.front().bytes;
      admitted.splice(admitted.end(), waiters_, waiters_.begin());
    }
  }
  End(std::move(admitted), absl::OkStatus());
}

void WriteAdmission::Fail(absl::Status cause) {
  Waiters ended;
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) failed_ = cause;
    ended.swap(waiters_);
  }
  End(std::move(ended), cause);
}

void WriteAdmission::End(Waiters ended, const absl::Status& status) {
  int64_t cancelled = 0;
  for (Waiter& waiter : ended) {
    if (executor_.Cancel(waiter.timer)) ++cancelled;
    waiter.granted(status);
  }
  absl::MutexLock lock(&mu_);
  timers_ -= cancelled;
}

int64_t WriteAdmission::used() const {
  absl::MutexLock lock(&mu_);
  return used_;
}

}  // namespace shale
