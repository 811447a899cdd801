#include "shale/region/health_monitor.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

namespace shale {

absl::string_view HealthStateName(HealthState state) {
  switch (state) {
    case HealthState::kServing:
      return "serving";
    case HealthState::kStalled:
      return "stalled";
    case HealthState::kPoisoned:
      return "poisoned";
    case HealthState::kClosed:
      return "closed";
  }
  return "unknown";
}

HealthMonitor::HealthMonitor(Clock& clock) : clock_(clock) {
  health_.since = clock.Now();
}

RegionHealth HealthMonitor::health() const {
  absl::MutexLock lock(&mu_);
  return health_;
}

absl::Status HealthMonitor::CheckWritable(absl::string_view region) const {
  if (writable_.load(std::memory_order_acquire)) return absl::OkStatus();
  absl::MutexLock lock(&mu_);
  return absl::FailedPreconditionError(
      health_.state == HealthState::kPoisoned
          ? Story(absl::StrCat("region ", region))
          : absl::StrCat("region ", region, " is closed"));
}

std::string HealthMonitor::Story(absl::string_view what) const {
  return absl::StrCat(what, " is ", HealthStateName(health_.state), " since ",
                      absl::FormatTime(health_.since, absl::UTCTimeZone()),
                      ": ", health_.cause.message());
}

std::string HealthMonitor::WhyBusy() const {
  return std::string(Busy("").message());
}

absl::Status HealthMonitor::Busy(absl::string_view what) const {
  const absl::string_view separator = what.empty() ? "" : ": ";
  absl::MutexLock lock(&mu_);
  if (health_.state != HealthState::kStalled) {
    return absl::ResourceExhaustedError(
        absl::StrCat(what, separator, "the region is not stalled"));
  }
  absl::Status busy = absl::ResourceExhaustedError(
      absl::StrCat(what, separator, Story("the region")));
  health_.cause.ForEachPayload(
      [&busy](absl::string_view type_url, const absl::Cord& payload) {
        busy.SetPayload(type_url, payload);
      });
  return busy;
}

absl::Status HealthMonitor::AwaitUnlessPoisoned(
    absl::string_view what, absl::Duration deadline,
    absl::FunctionRef<void(absl::AnyInvocable<bool()>)> start) {
  struct Event {
    bool happened = false;
    bool given_up = false;
  };
  const auto event = std::make_shared<Event>();
  start([this, event] {
    absl::MutexLock lock(&mu_);
    event->happened = !event->given_up;
    return event->happened;
  });
  {
    absl::MutexLock lock(&mu_);
    const auto over = [this, &event] {
      mu_.AssertHeld();
      return event->happened || health_.state == HealthState::kPoisoned;
    };
    clock_.AwaitUntil(mu_, absl::Condition(&over), deadline);
    if (event->happened) return absl::OkStatus();
    event->given_up = true;
    if (health_.state == HealthState::kPoisoned) {
      return absl::FailedPreconditionError(Story("the region"));
    }
  }
  return Busy(what);
}

void HealthMonitor::OnLogHealth(const LogHealth& health) {
  absl::MutexLock lock(&mu_);
  EnterLogHealth(health);
}

void HealthMonitor::AdoptLogHealth(absl::FunctionRef<LogHealth()> current) {
  absl::MutexLock lock(&mu_);
  EnterLogHealth(current());
}

void HealthMonitor::EnterLogHealth(const LogHealth& health) {
  switch (health.state) {
    case LogHealth::State::kServing:
      return Enter(HealthState::kServing, absl::OkStatus());
    case LogHealth::State::kStalled:
      return Enter(HealthState::kStalled, health.cause);
    case LogHealth::State::kPoisoned:
      return Enter(HealthState::kPoisoned, health.cause);
  }
}

void HealthMonitor::Poison(absl::Status cause) {
  absl::MutexLock lock(&mu_);
  Enter(HealthState::kPoisoned, std::move(cause));
}

void HealthMonitor::Close() {
  absl::MutexLock lock(&mu_);
  Enter(HealthState::kClosed, absl::OkStatus());
}

void HealthMonitor::Enter(HealthState state, absl::Status cause) {
  if (health_.state == HealthState::kPoisoned ||
      health_.state == HealthState::kClosed) {
    return;
  }
  if (health_.state == state) return;
  health_ = {state, std::move(cause), clock_.Now()};
  const bool writable =
      state == HealthState::kServing || state == HealthState::kStalled;
  writable_.store(writable, std::memory_order_release);
}

}  // namespace shale
