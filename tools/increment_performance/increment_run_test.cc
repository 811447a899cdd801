#include "shale/tools/increment_performance/increment_run.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/mvcc/mvcc.h"

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
class BlindMvcc final : public Mvcc {
 public:
  BlindMvcc(const MvccOptions& options, Clock& clock)
      : mvcc_(NewMvcc(options, clock)), empty_(NewMvcc(options, clock)) {}

  bool TryReserve() override { return mvcc_->TryReserve(); }
  void Reserve(absl::AnyInvocable<void()> granted) override {
    mvcc_->Reserve(std::move(granted));
  }
  void CancelReservation() override { mvcc_->CancelReservation(); }
  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) override {
    return mvcc_->Begin(count, append);
  }
  void MarkInserted(WriteRange range) override { mvcc_->MarkInserted(range); }
  void MarkDurable(LogPosition position) override {
    mvcc_->MarkDurable(position);
  }
  void Complete(WriteRange range) override { mvcc_->Complete(range); }
  void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) override {
    mvcc_->OnVisible(range, std::move(done));
  }
  bool WaitVisibleUnless(WriteRange range, PendingWait& wait) override {
    return mvcc_->WaitVisibleUnless(range, wait);
  }
  bool WaitBarrierUnless(PendingWait& wait) override {
    return mvcc_->WaitBarrierUnless(wait);
  }
  void GiveUp(PendingWait& wait) override { mvcc_->GiveUp(wait); }
  void EndWaits() override { mvcc_->EndWaits(); }
  void Barrier(absl::AnyInvocable<void()> done) override {
    mvcc_->Barrier(std::move(done));
  }
  WriteNumber ReadPoint() const override { return mvcc_->ReadPoint(); }
  WriteNumber WritePoint() const override { return mvcc_->WritePoint(); }
  absl::Status AdvanceTo(WriteNumber number) override {
    return mvcc_->AdvanceTo(number);
  }
  ReadPin Pin() override { return empty_->Pin(); }
  WriteNumber SmallestPinned() const override {
    return mvcc_->SmallestPinned();
  }
  std::vector<std::string> StuckWrites(absl::Duration age) const override {
    return mvcc_->StuckWrites(age);
  }
  MvccStats stats() const override { return mvcc_->stats(); }
  absl::string_view name() const override { return mvcc_->name(); }

 private:
  const std::unique_ptr<Mvcc> mvcc_;
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
