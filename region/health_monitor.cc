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
  absl::MutexLock lock(&mu_);
  switch (health_.state) {
    case HealthState::kServing:
    case HealthState::kStalled:
      return absl::OkStatus();
    case HealthState::kClosed:
      return absl::FailedPreconditionError(
          absl::StrCat("region ", region, " is closed"));
    case HealthState::kPoisoned:
      break;
  }
  return Refusal(absl::StrCat("region ", region));
}

absl::Status HealthMonitor::Refusal(absl::string_view what) const {
  return absl::FailedPreconditionError(
      absl::StrCat(what, " is poisoned since ",
                   absl::FormatTime(health_.since, absl::UTCTimeZone()), ": ",
                   health_.cause.message()));
}

absl::Status HealthMonitor::AwaitUnlessPoisoned(
    absl::FunctionRef<void(absl::AnyInvocable<void()>)> start) {
  const auto happened = std::make_shared<bool>(false);
  start([this, happened] {
    absl::MutexLock lock(&mu_);
    *happened = true;
  });
  absl::MutexLock lock(&mu_);
  const auto over = [this, &happened] {
    mu_.AssertHeld();
    return *happened || health_.state == HealthState::kPoisoned;
  };
  mu_.Await(absl::Condition(&over));
  return *happened ? absl::OkStatus() : Refusal("the region");
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
}

}  // namespace shale
