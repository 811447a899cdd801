#include "shale/base/admission_queue.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AdmissionQueueTest : public testing::Test {
 protected:
  void Take(const std::string& name, int64_t bytes, int seconds = 1) {
    AdmissionQueue::Granted granted = [this, name](absl::Status status) {
      log_.push_back(absl::StrCat(name, ": ", status.message()));
    };
    const std::optional<absl::Status> decided =
        queue_.Take(bytes, absl::Seconds(seconds), std::move(granted));
    if (decided.has_value()) granted(*decided);
  }
  void AdvanceTo(int seconds) {
    clock_.AdvanceTo(absl::Seconds(seconds));
    executor_.RunUntilIdle();
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  AdmissionQueue queue_{
      200, clock_, executor_, [](int64_t used) {
        return absl::ResourceExhaustedError(absl::StrCat("late, used ", used));
      }};
  std::vector<std::string> log_;
};

TEST_F(AdmissionQueueTest, RoomIsGivenOutInOrder) {
  Take("a", 200);
  Take("large", 150);
  Take("small", 10);
  EXPECT_TRUE(queue_.HasWaiters());
  queue_.GiveBack(100);
  EXPECT_THAT(log_, ElementsAre("a: ")) << "nobody overtakes the first";
  queue_.GiveBack(100);
  EXPECT_THAT(log_, ElementsAre("a: ", "large: ", "small: "));
  EXPECT_EQ(queue_.used(), 160);
  EXPECT_FALSE(queue_.HasWaiters());
}

TEST_F(AdmissionQueueTest, EachWaitEndsAtItsOwnDeadlineWithNothingTaken) {
  Take("a", 200);
  Take("late", 50, 3);
  Take("soon", 50, 1);
  Take("for ever", 50, 1 << 30);
  AdvanceTo(1);
  EXPECT_THAT(log_, ElementsAre("a: ", "soon: late, used 200"));
  AdvanceTo(2);
  EXPECT_EQ(log_.size(), 2u);
  AdvanceTo(3);
  EXPECT_EQ(log_.back(), "late: late, used 200");
  queue_.GiveBack(200);
  EXPECT_EQ(log_.back(), "for ever: ");
  EXPECT_EQ(queue_.used(), 50);
}

TEST_F(AdmissionQueueTest, WhoEndsLetsThoseBehindIn) {
  Take("a", 100);
  Take("large", 200, 1);
  Take("small", 100, 2);
  AdvanceTo(1);
  EXPECT_THAT(log_, ElementsAre("a: ", "large: late, used 100", "small: "));
}

TEST_F(AdmissionQueueTest, MoreThanThereIsGetsInAlone) {
  Take("huge", 1000);
  Take("small", 1);
  EXPECT_THAT(log_, ElementsAre("huge: "));
  queue_.GiveBack(1000);
  EXPECT_THAT(log_, ElementsAre("huge: ", "small: "));
}

TEST_F(AdmissionQueueTest, FailureEndsEveryWaitNowAndLater) {
  Take("a", 200);
  Take("b", 1);
  queue_.Fail(absl::FailedPreconditionError("closed"));
  queue_.Fail(absl::FailedPreconditionError("again"));
  Take("c", 1);
  EXPECT_THAT(log_, ElementsAre("a: ", "b: closed", "c: closed"));
}

TEST_F(AdmissionQueueTest, UnchargedRoomIsGivenOutByTheNextCall) {
  queue_.Charge(500);
  Take("a", 1);
  queue_.Uncharge(500);
  EXPECT_THAT(log_, IsEmpty());
  queue_.GiveBack(0);
  EXPECT_THAT(log_, ElementsAre("a: "));
}

TEST_F(AdmissionQueueTest, WhoEndsWhileOthersAreToldIsToldAfterThem) {
  Take("a", 200);
  AdmissionQueue::Granted first = [this](absl::Status) {
    log_.push_back("first begins");
    queue_.GiveBack(200);
    log_.push_back("first ends");
  };
  EXPECT_FALSE(queue_.Take(200, absl::Seconds(1), std::move(first)));
  Take("b", 1);
  queue_.GiveBack(200);
  EXPECT_THAT(log_, ElementsAre("a: ", "first begins", "first ends", "b: "));
}

}  // namespace
}  // namespace shale
