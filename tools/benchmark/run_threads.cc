#include "shale/tools/benchmark/run_threads.h"

#include <deque>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

namespace shale {
namespace {

constexpr absl::Duration kWatch = absl::Milliseconds(100);

// Threads that are still at it.
class Remaining {
 public:
  explicit Remaining(int threads) : threads_(threads) {}

  void OneLess() ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    --threads_;
  }

  // Whether all are done by `deadline`.
  bool AwaitNone(Clock& clock, absl::Duration deadline)
      ABSL_LOCKS_EXCLUDED(mu_) {
    absl::MutexLock lock(&mu_);
    return clock.AwaitUntil(
        mu_,
        absl::Condition(
            +[](int* threads) { return *threads == 0; }, &threads_),
        deadline);
  }

 private:
  absl::Mutex mu_;
  int threads_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

bool Worker::MayGoOn() const {
  return !progress_.failed.load(std::memory_order_relaxed) &&
         (progress_.deadline == absl::InfiniteDuration() ||
          clock_.Monotonic() < progress_.deadline);
}

absl::Status Worker::Measure(absl::FunctionRef<absl::Status()> operation) {
  const absl::Duration start = clock_.Monotonic();
  absl::Status status = operation();
  const absl::Duration end = clock_.Monotonic();
  if (status.ok()) {
    last_ = end - start;
    nanos_.Add(absl::ToInt64Nanoseconds(last_));
    progress_.operations.fetch_add(1, std::memory_order_relaxed);
  } else {
    status_.Update(status);
    progress_.failed.store(true, std::memory_order_relaxed);
  }
  return status;
}

Measurement RunThreads(const RunOptions& options, Clock& clock,
                       absl::FunctionRef<Causes()> causes,
                       absl::FunctionRef<void(int64_t)> watch,
                       absl::FunctionRef<void(Worker&)> body) {
  RunProgress progress;
  std::deque<Worker> workers;
  std::vector<std::thread> threads;
  absl::BlockingCounter ready(options.threads);
  absl::Notification go;
  Remaining remaining(options.threads);
  for (int i = 0; i < options.threads; ++i) {
    Worker& worker = workers.emplace_back(i, clock, progress);
    threads.emplace_back([&] {
      ready.DecrementCount();
      go.WaitForNotification();
      body(worker);
      remaining.OneLess();
    });
  }
  ready.Wait();

  Measurement run;
  const Causes before = causes();
  const absl::Duration start = clock.Monotonic();
  progress.deadline = start + options.time_limit;
  go.Notify();
  while (!remaining.AwaitNone(clock, clock.Monotonic() + kWatch)) {
    watch(progress.operations.load(std::memory_order_relaxed));
  }
  run.elapsed = clock.Monotonic() - start;
  run.causes = causes().Since(before);
  for (std::thread& thread : threads) thread.join();
  for (const Worker& worker : workers) {
    run.nanos.Merge(worker.nanos());
    run.status.Update(worker.status());
  }
  return run;
}

}  // namespace shale
