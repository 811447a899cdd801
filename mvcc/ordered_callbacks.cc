#include "shale/mvcc/ordered_callbacks.h"

#include <utility>

namespace shale {

void OrderedCallbacks::Add(absl::AnyInvocable<void()> callback) {
  absl::MutexLock lock(&mu_);
  waiting_.push_back(std::move(callback));
}

void OrderedCallbacks::Run() {
  std::deque<absl::AnyInvocable<void()>> batch;
  {
    absl::MutexLock lock(&mu_);
    if (running_ || waiting_.empty()) return;
    running_ = true;
    batch.swap(waiting_);
  }
  while (!batch.empty()) {
    for (absl::AnyInvocable<void()>& callback : batch) callback();
    batch.clear();
    absl::MutexLock lock(&mu_);
    batch.swap(waiting_);
    running_ = !batch.empty();
  }
}

}  // namespace shale
