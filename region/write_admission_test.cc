#include "shale/region/write_admission.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WriteAdmissionTest : public testing::Test {
 protected:
  void Admit(const std::string& name, int64_t bytes,
             absl::Duration wait = absl::Seconds(1)) {
    admission_.Admit(
        bytes, clock_.Monotonic() + wait, [this, name](absl::Status status) {
          log_.push_back(name + ": " +
                         std::string(absl::StatusCodeToString(status.code())));
        });
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  int flushes_ = 0;
  WriteAdmission admission_{100, 200, clock_, executor_,
                            [this] { ++flushes_; }};
  std::vector<std::string> log_;
};

TEST_F(WriteAdmissionTest, WritesPassWhileThereIsRoom) {
  Admit("a", 100);
  EXPECT_EQ(flushes_, 0);
  Admit("b", 100);
  EXPECT_THAT(log_, ElementsAre("a: OK", "b: OK"));
  EXPECT_EQ(flushes_, 1) << "asked for once the threshold is passed";
  EXPECT_EQ(admission_.used(), 200);
}

TEST_F(WriteAdmissionTest, WaitersGetReleasedRoomInOrder) {
  Admit("a", 200);
  Admit("large", 150);
  Admit("small", 10);
  EXPECT_THAT(log_, ElementsAre("a: OK"));
  admission_.Release(100);
  EXPECT_THAT(log_, ElementsAre("a: OK")) << "nobody overtakes the first";
  admission_.Release(100);
  EXPECT_THAT(log_, ElementsAre("a: OK", "large: OK", "small: OK"));
  EXPECT_EQ(admission_.used(), 160);
}

TEST_F(WriteAdmissionTest, AWaitEndsAtItsDeadlineWithNothingTaken) {
  Admit("a", 200);
  Admit("b", 50, absl::Seconds(1));
  clock_.Advance(absl::Seconds(1));
  executor_.RunUntilIdle();
  EXPECT_THAT(log_, ElementsAre("a: OK", "b: RESOURCE_EXHAUSTED"));
  EXPECT_EQ(admission_.used(), 200);
}

TEST_F(WriteAdmissionTest, AWaitThatWasInVainSaysWhyNothingWasFlushed) {
  Admit("a", 200);
  absl::Status ended;
  admission_.Admit(50, absl::Seconds(1),
                   [&](absl::Status status) { ended = std::move(status); });
  admission_.NoteFlush(absl::ResourceExhaustedError("no space"));
  clock_.Advance(absl::Seconds(1));
  executor_.RunUntilIdle();
  EXPECT_EQ(ended.message(),
            "memstores are full: 200 of 200 bytes in use, and no flush made "
            "room before the deadline: no space");
}

TEST_F(WriteAdmissionTest, AWriteLargerThanAllPassesAlone) {
  Admit("huge", 1000);
  Admit("small", 1);
  EXPECT_THAT(log_, ElementsAre("huge: OK"));
  admission_.Release(1000);
  EXPECT_THAT(log_, ElementsAre("huge: OK", "small: OK"));
}

TEST_F(WriteAdmissionTest, FailureEndsEveryWaitNowAndLater) {
  Admit("a", 200);
  Admit("b", 1);
  admission_.Fail(absl::FailedPreconditionError("poisoned"));
  Admit("c", 1);
  EXPECT_THAT(log_, ElementsAre("a: OK", "b: FAILED_PRECONDITION",
                                "c: FAILED_PRECONDITION"));
}

TEST_F(WriteAdmissionTest, ReplayedBytesCountWithoutWaiting) {
  admission_.Charge(500);
  Admit("a", 1);
  EXPECT_THAT(log_, IsEmpty());
  admission_.Release(500);
  EXPECT_THAT(log_, ElementsAre("a: OK"));
}

}  // namespace
}  // namespace shale
