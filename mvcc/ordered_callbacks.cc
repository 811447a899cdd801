#include "shale/mvcc/ordered_callbacks.h"

#include <iterator>
#include <utility>

namespace shale {

void OrderedCallbacks::Add(absl::AnyInvocable<void()> callback) {
  absl::MutexLock lock(&mu_);
  waiting_.push_back(std::move(callback));
}

void OrderedCallbacks::Run() {
  if (!TakeTurn()) return;
  size_t ran = 0;
  for (;;) {
    std::deque<absl::AnyInvocable<void()>> batch = NextBatch();
    if (batch.empty() || !RunBatch(std::move(batch), ran)) return;
  }
}

bool OrderedCallbacks::TakeTurn() {
  absl::MutexLock lock(&mu_);
  if (waiting_.empty() || relieved_.load(std::memory_order_relaxed)) {
    return false;
  }
  if (running_) {
    if (!over_ || runner_ == std::this_thread::get_id()) return false;
    relieved_.store(true, std::memory_order_relaxed);
    mu_.Await(absl::Condition(
        +[](bool* running) { return !*running; }, &running_));
    relieved_.store(false, std::memory_order_relaxed);
  }
  running_ = true;
  runner_ = std::this_thread::get_id();
  return true;
}

std::deque<absl::AnyInvocable<void()>> OrderedCallbacks::NextBatch() {
  std::deque<absl::AnyInvocable<void()>> batch;
  absl::MutexLock lock(&mu_);
  batch.swap(waiting_);
  if (batch.empty()) {
    running_ = false;
    over_ = false;
  }
  return batch;
}

bool OrderedCallbacks::RunBatch(std::deque<absl::AnyInvocable<void()>> batch,
                                size_t& ran) {
  while (!batch.empty()) {
    batch.front()();
    batch.pop_front();
    if (++ran < kTurn) continue;
    if (ran > kTurn && !relieved_.load(std::memory_order_relaxed)) continue;
    absl::MutexLock lock(&mu_);
    over_ = true;
    if (!relieved_.load(std::memory_order_relaxed)) continue;
    waiting_.insert(waiting_.begin(), std::make_move_iterator(batch.begin()),
                    std::make_move_iterator(batch.end()));
    running_ = false;
    over_ = false;
    return false;
  }
  return true;
}

}  // namespace shale
