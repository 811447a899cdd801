#ifndef SHALE_FILESYSTEM_DEVICE_MODEL_H_
#define SHALE_FILESYSTEM_DEVICE_MODEL_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"

namespace shale {

// How slow the device is that DeviceModel models. No duration is negative.
struct ModelledDeviceOptions {
  // How long the device is at one sync. The default is near the time of one
  // durable log write in the published measurements that Shale's benchmarks
  // repeat; a local disk that keeps its own cache takes a third of it.
  absl::Duration sync_latency = absl::Microseconds(350);
  // How long it is at one extent: a random 4 KiB read of a local disk.
  absl::Duration read_latency = absl::Microseconds(52);
  // Syncs and reads that the device works on at a time; more wait for their
  // turn. At least 1.
  int max_syncs_in_flight = 4;
  int max_reads_in_flight = 16;
  // The way to the device and back, for every call.
  absl::Duration link_latency_out = absl::ZeroDuration();
  absl::Duration link_latency_back = absl::ZeroDuration();
  // Each time is drawn evenly from [1 - jitter, 1 + jitter] times the one
  // above, by a generator of that seed. Range [0, 1].
  double jitter = 0;
  uint64_t seed = 1;
};

// What a modelled device has done so far.
struct ModelledDeviceCounters {
  int64_t appends = 0;
  int64_t appended_bytes = 0;
  // Of files, and one for each other call that ends durable.
  int64_t syncs = 0;
  // Extents.
  int64_t reads = 0;
  int64_t read_bytes = 0;
};

// Says when the answer to a call arrives that begins now: after the way to the
// device, the wait for its turn there, the work, and the way back. Times are
// those of Clock::Monotonic(). Thread-safe.
class DeviceModel {
 public:
  // `clock` outlives the model. REQUIRES: options in their ranges.
  DeviceModel(Clock& clock, const ModelledDeviceOptions& options);

  Clock& clock() { return clock_; }

  // A call that only takes the way there and back.
  absl::Duration LinkAnswer() ABSL_LOCKS_EXCLUDED(mu_);
  absl::Duration AppendAnswer(int64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);
  absl::Duration SyncAnswer() ABSL_LOCKS_EXCLUDED(mu_);
  // One call for that many extents; `bytes` is how much they asked for.
  absl::Duration ReadAnswer(int64_t extents, int64_t bytes)
      ABSL_LOCKS_EXCLUDED(mu_);

  ModelledDeviceCounters counters() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // When each of the places is free that work on one kind of request.
  using Places = std::vector<absl::Duration>;

  absl::Duration Jittered(absl::Duration time)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Duration Arrival() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // When work that arrives then and takes that long is done.
  static absl::Duration Work(Places& places, absl::Duration arrival,
                             absl::Duration time);

  Clock& clock_;
  const ModelledDeviceOptions options_;
  mutable absl::Mutex mu_;  // Order: mu_ -> the clock's own.
  Random random_ ABSL_GUARDED_BY(mu_);
  Places syncs_ ABSL_GUARDED_BY(mu_);
  Places reads_ ABSL_GUARDED_BY(mu_);
  ModelledDeviceCounters counters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_DEVICE_MODEL_H_
