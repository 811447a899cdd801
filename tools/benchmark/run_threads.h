#ifndef SHALE_TOOLS_BENCHMARK_RUN_THREADS_H_
#define SHALE_TOOLS_BENCHMARK_RUN_THREADS_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/histogram.h"
#include "shale/tools/benchmark/causes.h"
#include "shale/tools/benchmark/measurement.h"

namespace shale {

struct RunOptions {
  int threads = 1;
  // After that long threads are told to stop.
  absl::Duration time_limit = absl::InfiniteDuration();
};

// What all threads of a run share.
struct RunProgress {
  // When to stop; set before any thread is let go.
  absl::Duration deadline;
  // An operation failed. Relaxed: only a hint to stop.
  std::atomic<bool> failed = false;
  // Operations done, for who watches. Relaxed: a statistic.
  std::atomic<int64_t> operations = 0;
};

// One thread of a run: what it measures with. For that thread alone.
class Worker {
 public:
  Worker(int index, Clock& clock, RunProgress& progress)
      : index_(index), clock_(clock), progress_(progress) {}

  // Counted from 0.
  int index() const { return index_; }

  // Whether time is left and no thread's operation has failed.
  bool MayGoOn() const;

  // Runs `operation` and returns what it returns. Its time counts if it
  // succeeds; the first error of a run is the run's.
  absl::Status Measure(absl::FunctionRef<absl::Status()> operation);

  // What the last operation that succeeded took; nanos() rounds.
  absl::Duration last() const { return last_; }
  const Histogram& nanos() const { return nanos_; }
  const absl::Status& status() const { return status_; }

 private:
  const int index_;
  Clock& clock_;
  RunProgress& progress_;
  absl::Duration last_;
  Histogram nanos_;
  absl::Status status_;
};

// Runs `body` in each of the threads at the same time. `causes` is read just
// before they are let go and when the last is done. `watch` is called in the
// calling thread, now and then, with the operations done so far.
Measurement RunThreads(const RunOptions& options, Clock& clock,
                       absl::FunctionRef<Causes()> causes,
                       absl::FunctionRef<void(int64_t)> watch,
                       absl::FunctionRef<void(Worker&)> body);

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_RUN_THREADS_H_
