#include "shale/base/admission_queue.h"

#include <algorithm>
#include <utility>

#include "shale/base/check.h"

namespace shale {

AdmissionQueue::AdmissionQueue(
    int64_t capacity_bytes, Clock& clock, Executor& executor,
    absl::AnyInvocable<absl::Status(int64_t used)> why_late)
    : capacity_bytes_(capacity_bytes),
      clock_(clock),
      why_late_(std::move(why_late)),
      alarm_(executor, [this] { return Expire(); }) {}

AdmissionQueue::~AdmissionQueue() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(waiters_.empty()) << waiters_.size() << " wait";
  mu_.Await(absl::Condition(
      +[](bool* telling) { return !*telling; }, &telling_));
}

std::optional<absl::Status> AdmissionQueue::Take(int64_t bytes,
                                                 absl::Duration deadline,
                                                 Granted&& granted) {
  {
    absl::MutexLock lock(&mu_);
    if (!failed_.ok()) return failed_;
    if (waiters_.empty() && HasRoom(bytes)) {
      used_ += bytes;
      return absl::OkStatus();
    }
    waiters_.push_back({bytes, deadline, std::move(granted), {}});
  }
  alarm_.RingBy(deadline);
  return std::nullopt;
}

void AdmissionQueue::Charge(int64_t bytes) {
  absl::MutexLock lock(&mu_);
  used_ += bytes;
}

void AdmissionQueue::Uncharge(int64_t bytes) {
  absl::MutexLock lock(&mu_);
  used_ -= bytes;
  SHALE_CHECK(used_ >= 0) << "more given back than was taken";
}

void AdmissionQueue::GiveBack(int64_t bytes) {
  {
    absl::MutexLock lock(&mu_);
    used_ -= bytes;
    SHALE_CHECK(used_ >= 0) << "more given back than was taken";
    AdmitThoseThatFit();
  }
  TellEnded();
}

void AdmissionQueue::Fail(const absl::Status& cause) {
  {
    absl::MutexLock lock(&mu_);
    if (failed_.ok()) failed_ = cause;
    while (!waiters_.empty()) End(waiters_.begin(), failed_);
  }
  TellEnded();
}

absl::Duration AdmissionQueue::Expire() {
  const absl::Duration now = clock_.Monotonic();
  const absl::Status late = why_late_(used());
  absl::Duration next = absl::InfiniteDuration();
  {
    absl::MutexLock lock(&mu_);
    for (auto it = waiters_.begin(); it != waiters_.end();) {
      const auto waiter = it++;
      if (waiter->deadline <= now) {
        End(waiter, late);
      } else {
        next = std::min(next, waiter->deadline);
      }
    }
    AdmitThoseThatFit();  // One that ended may have been in their way.
  }
  TellEnded();
  return next;
}

void AdmissionQueue::AdmitThoseThatFit() {
  while (!waiters_.empty() && HasRoom(waiters_.front().bytes)) {
    used_ += waiters_.front().bytes;
    End(waiters_.begin(), absl::OkStatus());
  }
}

void AdmissionQueue::End(Waiters::iterator waiter, absl::Status status) {
  waiter->status = std::move(status);
  ended_.splice(ended_.end(), waiters_, waiter);
}

void AdmissionQueue::TellEnded() {
  absl::MutexLock lock(&mu_);
  if (telling_) return;  // Whoever does takes these too.
  telling_ = true;
  while (!ended_.empty()) {
    {
      Waiter waiter = std::move(ended_.front());
      ended_.pop_front();
      mu_.Unlock();
      waiter.granted(std::move(waiter.status));
    }
    mu_.Lock();
  }
  telling_ = false;
}

int64_t AdmissionQueue::used() const {
  absl::MutexLock lock(&mu_);
  return used_;
}

bool AdmissionQueue::HasWaiters() const {
  absl::MutexLock lock(&mu_);
  return !waiters_.empty();
}

}  // namespace shale
