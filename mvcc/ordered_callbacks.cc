#include "shale/mvcc/ordered_callbacks.h"

#include <utility>

namespace shale {

OrderedCallbacks::~OrderedCallbacks() {
  std::deque<absl::AnyInvocable<void()>> dropped;
  absl::MutexLock lock(&mu_);
  dropped.swap(waiting_);
  mu_.Await(absl::Condition(
      +[](bool* running) { return !*running; }, &running_));
}

void OrderedCallbacks::Add(absl::AnyInvocable<void()> callback) {
  absl::MutexLock lock(&mu_);
  waiting_.push_back(std::move(callback));
}

void OrderedCallbacks::Run() {
  {
    absl::MutexLock lock(&mu_);
    if (running_ || waiting_.empty()) return;
    running_ = true;
  }
  RunOn();
}

void OrderedCallbacks::RunOn() {
  std::deque<absl::AnyInvocable<void()>> batch;
  for (size_t ran = 0; ran < kMaxRun; ran += batch.size()) {
    batch.clear();
    {
      absl::MutexLock lock(&mu_);
      batch.swap(waiting_);
      running_ = !batch.empty();
      if (!running_) return;
    }
    for (absl::AnyInvocable<void()>& callback : batch) callback();
  }
  batch.clear();
  executor_.Schedule([this] { RunOn(); });
}

}  // namespace shale
