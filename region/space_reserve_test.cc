#include "shale/region/space_reserve.h"

#include <cerrno>
#include <memory>
#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kBytes = 1000;

class SpaceReserveTest : public testing::Test {
 protected:
  SpaceReserveTest() { memory_.SetCapacity(kBytes); }

  SpaceReserve& Open(int64_t bytes = kBytes) {
    return reserve_.emplace(files_, lease_->token(), "host", bytes, log_);
  }

  ThreadPoolExecutor executor_{1, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  std::unique_ptr<Lease> lease_ = *AcquireLease(files_, "host", "the test");
  CapturingLogSink log_;
  std::optional<SpaceReserve> reserve_;
};

TEST_F(SpaceReserveTest, SpaceIsTakenOnceAndGivenBackOnce) {
  SpaceReserve& reserve = Open();
  EXPECT_FALSE(reserve.Release());
  for (int i = 0; i < 3; ++i) {
    reserve.Renew();
    reserve.Renew();
    EXPECT_EQ(memory_.used_bytes(), kBytes);
    EXPECT_TRUE(reserve.Release());
    EXPECT_FALSE(reserve.Release());
    EXPECT_EQ(memory_.used_bytes(), 0);
  }
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(SpaceReserveTest, NoneIsNone) {
  SpaceReserve& reserve = Open(0);
  reserve.Renew();
  EXPECT_FALSE(reserve.Release());
  EXPECT_EQ(files_.faults().calls(FileOp::kCreate), 0u);
}

TEST_F(SpaceReserveTest, WhatEarlierOwnersLeftIsGivenBack) {
  Open().Renew();
  Open().Reclaim();
  EXPECT_EQ(memory_.used_bytes(), 0);
}

TEST_F(SpaceReserveTest, LackOfSpaceIsToldOnceAndTriedAgain) {
  SpaceReserve& reserve = Open();
  for (int i = 1; i <= 2; ++i) {
    memory_.SetCapacity(kBytes - 1);
    reserve.Renew();
    reserve.Renew();
    EXPECT_FALSE(reserve.Release());
    EXPECT_EQ(log_.lines().size(), i);
    memory_.SetCapacity(kBytes);
    reserve.Renew();
    EXPECT_TRUE(reserve.Release());
  }
  EXPECT_THAT(log_.lines()[0],
              HasSubstr("warning reserve: no space is set aside"));
}

TEST_F(SpaceReserveTest, WhatCouldNotBeRemovedIsTriedAgain) {
  SpaceReserve& reserve = Open();
  memory_.SetCapacity(2 * kBytes);
  reserve.Renew();
  files_.faults().Inject(
      {.op = FileOp::kRemove, .fault = {.error_number = EIO}});
  EXPECT_FALSE(reserve.Release());
  EXPECT_EQ(memory_.used_bytes(), kBytes);
  EXPECT_TRUE(reserve.Release());
  EXPECT_EQ(memory_.used_bytes(), 0);

  reserve.Renew();
  files_.faults().Inject(
      {.op = FileOp::kRemove, .fault = {.error_number = EIO}});
  EXPECT_FALSE(reserve.Release());
  reserve.Renew();
  EXPECT_EQ(memory_.used_bytes(), kBytes) << "one of them, not two";
}

TEST_F(SpaceReserveTest, AFileOfWhichNobodyKnowsIsRemovedToo) {
  SpaceReserve& reserve = Open();
  files_.faults().Inject({.op = FileOp::kCreate,
                          .fault = {.effect = Fault::Effect::kApplied,
                                    .outcome = FileOutcome::kUnknown}});
  reserve.Renew();
  EXPECT_EQ(memory_.used_bytes(), kBytes);
  EXPECT_TRUE(reserve.Release());
  EXPECT_EQ(memory_.used_bytes(), 0);
  // As one that isn't there.
  files_.faults().Inject(
      {.op = FileOp::kCreate, .fault = {.outcome = FileOutcome::kUnknown}});
  reserve.Renew();
  reserve.Release();
  EXPECT_FALSE(reserve.Release()) << "it was looked for once";
}

TEST_F(SpaceReserveTest, WhatCantBeRemovedGivesNothingBack) {
  SpaceReserve& reserve = Open();
  reserve.Renew();
  files_.faults().Inject(
      {.op = FileOp::kRemove, .fault = {.error_number = EIO}});
  EXPECT_FALSE(reserve.Release());
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("space stays set aside")));
  Open().Reclaim();
  EXPECT_EQ(memory_.used_bytes(), 0);
}

}  // namespace
}  // namespace shale
