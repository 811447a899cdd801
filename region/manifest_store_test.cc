#include "shale/region/manifest_store.h"

#include <cerrno>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/manifest_codec.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

class ManifestStoreTest : public testing::Test {
 protected:
  ManifestStoreTest() {
    clock_.AdvanceInsteadOfSleeping();
    auto lease = AcquireLease(files_, "d", "the test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
    Manifest manifest;
    manifest.incarnation = Uuid::Generate();
    manifest.name = "r";
    manifest.families.push_back({});
    manifest.families[0].options.name = "f";
    EXPECT_OK(
        ManifestStore::Create(files_, lease_->token(), "d/manifest", manifest));
    auto store =
        ManifestStore::Open(files_, lease_->token(), clock_, "d/manifest");
    EXPECT_OK(store);
    store_ = *std::move(store);
  }

  absl::Status SetHighWater(uint64_t number) {
    return store_->Update([number](Manifest& manifest) {
      manifest.high_water = WriteNumber{number};
    });
  }

  uint64_t StoredHighWater() {
    auto object = ReadMeta(memory_, "d/manifest");
    EXPECT_OK(object);
    auto manifest = DecodeManifest(*object);
    EXPECT_OK(manifest);
    return manifest->high_water.value;
  }

  // The next `times` commits end as unknown, applied or not.
  void MakeUnknown(Fault::Effect effect, uint64_t times) {
    FaultRule rule;
    rule.op = FileOp::kCommitMeta;
    rule.times = times;
    rule.fault.effect = effect;
    rule.fault.outcome = FileOutcome::kUnknown;
    files_.faults().Inject(rule);
  }

  ManualClock clock_;
  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_, 1};
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<ManifestStore> store_;
};

TEST_F(ManifestStoreTest, AnUpdateReplacesTheWholeManifest) {
  ASSERT_OK(SetHighWater(7));
  EXPECT_EQ(store_->current().high_water.value, 7u);
  EXPECT_EQ(StoredHighWater(), 7u);
}

TEST_F(ManifestStoreTest, ASecondManifestIsNotCreated) {
  EXPECT_THAT(
      ManifestStore::Create(files_, lease_->token(), "d/manifest", Manifest{}),
      StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST_F(ManifestStoreTest, AnUnknownCommitThatWasAppliedIsRecognised) {
  MakeUnknown(Fault::Effect::kApplied, 1);
  ASSERT_OK(SetHighWater(7));
  ASSERT_OK(SetHighWater(8));
  EXPECT_EQ(StoredHighWater(), 8u);
}

TEST_F(ManifestStoreTest, AnUnknownCommitThatWasNotAppliedIsMadeAgain) {
  MakeUnknown(Fault::Effect::kNotApplied, 2);
  ASSERT_OK(SetHighWater(7));
  EXPECT_EQ(StoredHighWater(), 7u);
}

TEST_F(ManifestStoreTest, NoErrorIsBelievedThatTheManifestDenies) {
  uint64_t number = 0;
  for (const FileOutcome outcome :
       {FileOutcome::kNoSpace, FileOutcome::kUnavailable,
        FileOutcome::kConflict, FileOutcome::kNotFound, FileOutcome::kInvalid,
        FileOutcome::kIoError, FileOutcome::kUnknown}) {
    files_.faults().Inject(
        {.op = FileOp::kCommitMeta,
         .fault = {.effect = Fault::Effect::kApplied, .outcome = outcome}});
    ASSERT_OK(SetHighWater(++number)) << OutcomeName(outcome);
    EXPECT_EQ(StoredHighWater(), number);
    ASSERT_OK(SetHighWater(++number)) << OutcomeName(outcome);
  }
}

TEST_F(ManifestStoreTest, ACommitThatSurelyFailedIsAnErrorAndNotTheLast) {
  files_.faults().Inject(
      {.op = FileOp::kCommitMeta, .fault = {.error_number = ENOSPC}});
  EXPECT_THAT(SetHighWater(7), StatusIs(absl::StatusCode::kResourceExhausted));
  // Out of descriptors, there is no looking either.
  for (const FileOp op : {FileOp::kCommitMeta, FileOp::kReadMeta}) {
    files_.faults().Inject({.op = op, .fault = {.error_number = EMFILE}});
  }
  EXPECT_THAT(SetHighWater(7), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(clock_.Monotonic(), absl::ZeroDuration());
  ASSERT_OK(SetHighWater(8));
}

TEST_F(ManifestStoreTest, AttemptsAreFurtherAndFurtherApart) {
  EXPECT_OK(SetHighWater(6));
  EXPECT_EQ(clock_.Monotonic(), absl::ZeroDuration());
  MakeUnknown(Fault::Effect::kNotApplied, 3);
  EXPECT_OK(SetHighWater(7));
  EXPECT_EQ(clock_.Monotonic(), absl::Milliseconds(10 + 20 + 40));
}

TEST_F(ManifestStoreTest, AnOutcomeThatStaysUnknownEndsAllUpdates) {
  MakeUnknown(Fault::Effect::kNotApplied, FaultRule::kAlways);
  EXPECT_THAT(SetHighWater(7), StatusIs(absl::StatusCode::kUnknown));
  files_.faults().WithdrawAll();
  EXPECT_THAT(SetHighWater(8),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("d/manifest")));
  EXPECT_EQ(store_->current().high_water.value, 0u);
}

TEST_F(ManifestStoreTest, AnotherOwnersManifestIsNeverOverwritten) {
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<ManifestStore> other,
      ManifestStore::Open(files_, lease_->token(), clock_, "d/manifest"));
  ASSERT_OK(other->Update(
      [](Manifest& manifest) { manifest.high_water = WriteNumber{5}; }));
  EXPECT_THAT(SetHighWater(7), StatusIs(absl::StatusCode::kAborted));
  EXPECT_EQ(StoredHighWater(), 5u);
}

TEST_F(ManifestStoreTest, LookingDoesNotWaitForACommitUnderWay) {
  ASSERT_OK(SetHighWater(1));
  files_.faults().Inject(
      {.op = FileOp::kCommitMeta, .fault = {.effect = Fault::Effect::kHeld}});
  auto commit =
      std::async(std::launch::async, [this] { return SetHighWater(2); });
  files_.faults().AwaitHeld(1);
  auto look = std::async(std::launch::async,
                         [this] { return store_->current().high_water.value; });
  EXPECT_EQ(look.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  files_.faults().Release();
  EXPECT_OK(commit.get());
  EXPECT_EQ(look.get(), 1u);
  EXPECT_EQ(store_->current().high_water.value, 2u);
}

}  // namespace
}  // namespace shale
