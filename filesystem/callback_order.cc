#include "shale/filesystem/callback_order.h"

#include <utility>

namespace shale {

CallbackOrder::CallbackOrder() : core_(std::make_shared<Core>()) {}

uint64_t CallbackOrder::Reserve() {
  absl::MutexLock lock(&core_->mu);
  return core_->reserved++;
}

uint64_t CallbackOrder::reserved() const {
  absl::MutexLock lock(&core_->mu);
  return core_->reserved;
}

void CallbackOrder::Put(uint64_t place, absl::AnyInvocable<void()> callback) {
  absl::MutexLock lock(&core_->mu);
  core_->ready.emplace(place, std::move(callback));
}

void CallbackOrder::RunReady() {
  const std::shared_ptr<Core> core = core_;
  absl::MutexLock lock(&core->mu);
  if (core->runner != std::thread::id()) return;
  core->runner = std::this_thread::get_id();
  RunReady(*core);
  core->runner = std::thread::id();
}

void CallbackOrder::RunReady(Core& core) {
  for (auto first = core.ready.find(core.next); first != core.ready.end();
       first = core.ready.find(core.next)) {
    absl::AnyInvocable<void()> callback = std::move(first->second);
    core.ready.erase(first);
    ++core.next;
    core.mu.Unlock();
    callback();
    callback = nullptr;
    core.mu.Lock();
  }
}

void CallbackOrder::Join() {
  const std::shared_ptr<Core> core = core_;
  absl::MutexLock lock(&core->mu);
  if (core->runner == std::this_thread::get_id()) {
    const auto next_is_ready = [&core = *core] {
      core.mu.AssertHeld();
      return core.ready.count(core.next) > 0;
    };
    while (core->next < core->reserved) {
      core->mu.Await(absl::Condition(&next_is_ready));
      RunReady(*core);
    }
    return;
  }
  const auto all_returned = [&core = *core] {
    core.mu.AssertHeld();
    return core.next == core.reserved && core.runner == std::thread::id();
  };
  core->mu.Await(absl::Condition(&all_returned));
}

}  // namespace shale
