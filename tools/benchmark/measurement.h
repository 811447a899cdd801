#ifndef SHALE_TOOLS_BENCHMARK_MEASUREMENT_H_
#define SHALE_TOOLS_BENCHMARK_MEASUREMENT_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/base/histogram.h"
#include "shale/tools/benchmark/causes.h"

namespace shale {

// What one run came to.
struct Measurement {
  // Of the operations that succeeded, each one's nanoseconds.
  Histogram nanos;
  // From the moment all threads were let go until the last one was done.
  absl::Duration elapsed;
  Causes causes;
  // The first error of an operation; OK if there was none.
  absl::Status status;

  int64_t operations() const { return nanos.count(); }
  double OperationsPerSecond() const {
    return static_cast<double>(operations()) / absl::ToDoubleSeconds(elapsed);
  }
  // 0 if there was no operation.
  double PerOperation(int64_t count) const {
    return operations() == 0
               ? 0
               : static_cast<double>(count) / static_cast<double>(operations());
  }
};

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_MEASUREMENT_H_
