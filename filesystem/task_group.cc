#include "shale/filesystem/task_group.h"

#include <algorithm>
#include <utility>

namespace shale {

TaskGroup::TaskGroup(Executor& executor)
    : executor_(executor), core_(std::make_shared<Core>()) {}

uint64_t TaskGroup::Add(Core& core, absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&core.mu);
  core.waiting.emplace(++core.last, std::move(task));
  return core.last;
}

void TaskGroup::Run(absl::AnyInvocable<void()> task) {
  executor_.Schedule([core = core_, number = Add(*core_, std::move(task))] {
    RunWaiting(*core, number);
  });
}

void TaskGroup::RunAt(absl::Duration deadline,
                      absl::AnyInvocable<void()> task) {
  executor_.ScheduleAt(deadline,
                       [core = core_, number = Add(*core_, std::move(task))] {
                         RunWaiting(*core, number);
                       });
}

void TaskGroup::Join() {
  const std::shared_ptr<Core> core = core_;
  while (true) {
    while (RunWaiting(*core, 0)) {
    }
    absl::MutexLock lock(&core->mu);
    const auto idle_or_more = [&core = *core, me = std::this_thread::get_id()] {
      core.mu.AssertHeld();
      return !core.waiting.empty() ||
             std::all_of(core.running.begin(), core.running.end(),
                         [me](std::thread::id id) { return id == me; });
    };
    core->mu.Await(absl::Condition(&idle_or_more));
    if (core->waiting.empty()) return;
  }
}

bool TaskGroup::RunWaiting(Core& core, uint64_t number) {
  absl::AnyInvocable<void()> task;
  {
    absl::MutexLock lock(&core.mu);
    const auto found =
        number == 0 ? core.waiting.begin() : core.waiting.find(number);
    if (found == core.waiting.end()) return false;
    task = std::move(found->second);
    core.waiting.erase(found);
    core.running.push_back(std::this_thread::get_id());
  }
  task();
  task = nullptr;  // What it holds goes before it counts as done.
  absl::MutexLock lock(&core.mu);
  core.running.erase(std::find(core.running.begin(), core.running.end(),
                               std::this_thread::get_id()));
  return true;
}

}  // namespace shale
