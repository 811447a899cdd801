#include "shale/filesystem/device_model.h"

#include <algorithm>

#include "shale/base/check.h"

namespace shale {

DeviceModel::DeviceModel(Clock& clock, const ModelledDeviceOptions& options)
    : clock_(clock), options_(options), random_(options.seed) {
  SHALE_CHECK(options.max_syncs_in_flight > 0);
  SHALE_CHECK(options.max_reads_in_flight > 0);
  SHALE_CHECK(options.jitter >= 0 && options.jitter <= 1) << options.jitter;
  syncs_.resize(options.max_syncs_in_flight, -absl::InfiniteDuration());
  reads_.resize(options.max_reads_in_flight, -absl::InfiniteDuration());
}

absl::Duration DeviceModel::Jittered(absl::Duration time) {
  if (options_.jitter == 0) return time;
  return time * (1 + options_.jitter * (2 * random_.Fraction() - 1));
}

absl::Duration DeviceModel::Arrival() {
  return clock_.Monotonic() + Jittered(options_.link_latency_out);
}

absl::Duration DeviceModel::Work(Places& places, absl::Duration arrival,
                                 absl::Duration time) {
  const auto first_free = std::min_element(places.begin(), places.end());
  *first_free = std::max(*first_free, arrival) + time;
  return *first_free;
}

absl::Duration DeviceModel::LinkAnswer() {
  absl::MutexLock lock(&mu_);
  return Arrival() + Jittered(options_.link_latency_back);
}

absl::Duration DeviceModel::AppendAnswer(int64_t bytes) {
  absl::MutexLock lock(&mu_);
  ++counters_.appends;
  counters_.appended_bytes += bytes;
  return Arrival() + Jittered(options_.link_latency_back);
}

absl::Duration DeviceModel::SyncAnswer() {
  absl::MutexLock lock(&mu_);
  ++counters_.syncs;
  return Work(syncs_, Arrival(), Jittered(options_.sync_latency)) +
         Jittered(options_.link_latency_back);
}

absl::Duration DeviceModel::ReadAnswer(int64_t extents, int64_t bytes) {
  absl::MutexLock lock(&mu_);
  counters_.reads += extents;
  counters_.read_bytes += bytes;
  const absl::Duration arrival = Arrival();
  absl::Duration done = arrival;
  for (int64_t i = 0; i < extents; ++i) {
    done =
        std::max(done, Work(reads_, arrival, Jittered(options_.read_latency)));
  }
  return done + Jittered(options_.link_latency_back);
}

ModelledDeviceCounters DeviceModel::counters() const {
  absl::MutexLock lock(&mu_);
  return counters_;
}

}  // namespace shale
