#include "shale/wal/syncer_pool.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {

SyncerPool::SyncerPool(int threads, uint64_t turns) : turns_(turns) {
  SHALE_CHECK(threads >= 1) << threads;
  for (int i = 0; i < threads; ++i) {
    Syncer& syncer = *syncers_.emplace_back(std::make_unique<Syncer>());
    syncer.thread = std::thread([&syncer] { syncer.Run(); });
  }
}

SyncerPool::~SyncerPool() {
  for (const auto& syncer : syncers_) {
    absl::MutexLock lock(&syncer->mu);
    syncer->stopping = true;
  }
  for (const auto& syncer : syncers_) syncer->thread.join();
}

void SyncerPool::Hand(absl::AnyInvocable<void()> task) {
  Syncer& syncer = *syncers_[turns_++ % syncers_.size()];
  absl::MutexLock lock(&syncer.mu);
  syncer.tasks.push_back(std::move(task));
}

void SyncerPool::Syncer::Run() {
  while (true) {
    absl::AnyInvocable<void()> task;
    {
      absl::MutexLock lock(&mu);
      mu.Await(absl::Condition(this, &Syncer::HasWork));
      if (tasks.empty()) return;
      task = std::move(tasks.front());
      tasks.pop_front();
    }
    task();
  }
}

}  // namespace shale
