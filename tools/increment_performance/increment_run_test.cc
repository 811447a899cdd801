#include "shale/tools/increment_performance/increment_run.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/read_pin.h"
#include "shale/mvcc/testing/forwarding_mvcc.h"

namespace shale {
namespace {

void NotWatched(int64_t) {}

IncrementLoad Load(int64_t increments) {
  IncrementLoad load;
  load.increments = increments;
  load.device.kind = DeviceSpec::Kind::kMemory;
  return load;
}

TEST(IncrementRunTest, CountsItsCausesBesideTheTimes) {
  IncrementLoad load = Load(25);
  load.device.kind = DeviceSpec::Kind::kModelled;
  load.device.model.sync_latency = absl::Microseconds(50);
  const absl::StatusOr<IncrementRun> run =
      RunIncrements({{RowChoice::Kind::kHot, 1}, 4}, load,
                    DefaultRegionComponents(), 1, RealClock(), NotWatched);
  ASSERT_OK(run);
  EXPECT_EQ(run->measurement.operations(), 100);
  EXPECT_EQ(run->measurement.causes.log_entries, 100);
  EXPECT_GT(run->measurement.causes.syncs, 0);
  EXPECT_GT(run->measurement.causes.context_switches, 0);
  EXPECT_GE(run->measurement.nanos.min(), 50000);
}

// As another one, but readers never see anything.
class BlindMvcc final : public ForwardingMvcc {
 public:
  BlindMvcc(const MvccOptions& options, Clock& clock)
      : ForwardingMvcc(NewMvcc(options, clock)),
        empty_(NewMvcc(options, clock)) {}

  ReadPin Pin() override { return empty_->Pin(); }

 private:
  const std::unique_ptr<Mvcc> empty_;
};

TEST(IncrementRunTest, FailsWhenACounterIsNotWhatWasAcknowledged) {
  RegionComponents components = DefaultRegionComponents();
  components.mvcc = [](const MvccOptions& options, Clock& clock) {
    return std::make_unique<BlindMvcc>(options, clock);
  };
  const absl::StatusOr<IncrementRun> run =
      RunIncrements({{RowChoice::Kind::kHot, 1}, 2}, Load(5), components, 1,
                    RealClock(), NotWatched);
  EXPECT_EQ(run.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(run.status().message(),
            "row 0: the counter is 0, and 10 increments were acknowledged");
}

TEST(IncrementRunTest, FailsWithoutADevice) {
  IncrementLoad load = Load(5);
  load.device.kind = DeviceSpec::Kind::kReal;
  load.device.directory = "/nowhere/at/all";
  EXPECT_EQ(RunIncrements({{RowChoice::Kind::kHot, 1}, 2}, load,
                          DefaultRegionComponents(), 1, RealClock(), NotWatched)
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace shale
