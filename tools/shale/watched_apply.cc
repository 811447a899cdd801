#include "shale/tools/shale/watched_apply.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "shale/base/completion.h"
#include "shale/region/region_health.h"

namespace shale {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(100);

}  // namespace

ApplyResult WatchedApply(Region& region, MutationBatch batch, Clock& clock,
                         absl::FunctionRef<void(absl::string_view)> tell) {
  Waiter<absl::StatusOr<ApplyResult>> waiter;
  region.ApplyAsync(std::move(batch), waiter.callback());
  while (true) {
    std::optional<absl::StatusOr<ApplyResult>> result =
        waiter.WaitUntil(clock, clock.Monotonic() + kLook);
    // Every batch is answered, so there is a result in it.
    if (result.has_value()) return **std::move(result);
    const RegionHealth health = region.Health();
    tell(health.state == HealthState::kStalled
             ? absl::StrCat("stalled: ", health.cause.message(), ", waiting")
             : std::string());
  }
}

}  // namespace shale
