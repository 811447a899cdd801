#include "shale/region/purge_clock.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/cell/wall_timestamp.h"

namespace shale {
namespace {

std::string Date(Timestamp time) {
  return absl::FormatTime(absl::RFC3339_sec, absl::FromUnixMicros(time),
                          absl::UTCTimeZone());
}

}  // namespace

PurgeClock::PurgeClock(Timestamp believed, bool trust_wall, Clock& clock,
                       Gauge& held_seconds, LogSink& log, std::string region)
    : clock_(clock),
      held_seconds_(held_seconds),
      log_(log),
      region_(std::move(region)),
      believed_(trust_wall || believed <= kMinTimestamp
                    ? WallTimestamp(clock)
                    : std::min(believed, kMaxWallTimestamp)),
      believed_at_(clock.Monotonic()) {}

Timestamp PurgeClock::Now() {
  absl::MutexLock lock(&mu_);
  return Read();
}

Timestamp PurgeClock::NewestBelieved() {
  absl::MutexLock lock(&mu_);
  Read();
  return believed_;
}

Timestamp PurgeClock::Read() {
  const absl::Duration at = clock_.Monotonic();
  const Timestamp wall = WallTimestamp(clock_);
  const Timestamp expected =
      believed_ + absl::ToInt64Microseconds(at - believed_at_);
  if (wall > expected + absl::ToInt64Microseconds(allowance_)) {
    Hold(wall, expected);
    Believe(expected, at);
    return expected;
  }
  held_ = false;
  held_seconds_.Set(0);
  if (wall >= believed_) {
    Believe(wall, at);
    allowance_ = kAllowance;
  }
  return wall;
}

void PurgeClock::Believe(Timestamp time, absl::Duration at) {
  believed_ = time;
  believed_at_ = at;
}

void PurgeClock::Hold(Timestamp wall, Timestamp expected) {
  held_seconds_.Set((wall - expected) / 1000000);
  if (std::exchange(held_, true)) return;
  log_.Log(Severity::kWarning, region_,
           absl::StrCat("the wall clock reads ", Date(wall), ", and not ",
                        Date(expected),
                        " or little more: nothing expires by it; if it is "
                        "right, open the host with trust_wall_clock"));
}

}  // namespace shale
