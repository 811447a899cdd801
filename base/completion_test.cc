#include "shale/base/completion.h"

#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using ::testing::Optional;
using ::testing::Pointee;

TEST(WaiterTest, ReturnsAResultThatCameBeforeTheWait) {
  Waiter<absl::Status> waiter;
  waiter.callback()(absl::DataLossError("torn"));
  EXPECT_THAT(waiter.Wait(), StatusIs(absl::StatusCode::kDataLoss, "torn"));
}

TEST(WaiterTest, BlocksUntilAnotherThreadBringsTheResult) {
  Waiter<absl::Status> waiter;
  std::thread completing(
      [callback = waiter.callback()]() mutable { callback(absl::OkStatus()); });
  EXPECT_OK(waiter.Wait());
  completing.join();
}

TEST(WaiterTest, MovesAValueThroughThatCannotBeCopied) {
  Waiter<absl::StatusOr<std::unique_ptr<int>>> waiter;
  waiter.callback()(std::make_unique<int>(5));
  EXPECT_THAT(waiter.Wait(), IsOkAndHolds(Pointee(5)));
}

TEST(WaiterTest, ADroppedCallbackIsAnUnknownOutcome) {
  Waiter<absl::StatusOr<int>> waiter;
  waiter.callback() = nullptr;
  EXPECT_THAT(waiter.Wait(), StatusIs(absl::StatusCode::kUnknown));
}

TEST(WaiterTest, WaitUntilGivesUpAtTheDeadlineAndMayBeCalledAgain) {
  ManualClock clock;
  Waiter<absl::StatusOr<int>> waiter;
  absl::AnyInvocable<void(absl::StatusOr<int>)> callback = waiter.callback();
  EXPECT_EQ(waiter.WaitUntil(clock, absl::ZeroDuration()), std::nullopt);

  std::thread advancing([&clock] {
    clock.AwaitWaiters(1);
    clock.Advance(absl::Seconds(1));
  });
  EXPECT_EQ(waiter.WaitUntil(clock, absl::Seconds(1)), std::nullopt);
  advancing.join();

  callback(7);
  EXPECT_THAT(waiter.WaitUntil(clock, absl::Seconds(2)),
              Optional(IsOkAndHolds(7)));
}

TEST(WaiterTest, TheCallbackMayOutliveTheWaiter) {
  absl::AnyInvocable<void(absl::Status)> callback;
  {
    Waiter<absl::Status> waiter;
    callback = waiter.callback();
  }
  callback(absl::OkStatus());
}

TEST(WaiterDeathTest, ASecondCallIsABug) {
  Waiter<absl::Status> waiter;
  absl::AnyInvocable<void(absl::Status)> callback = waiter.callback();
  callback(absl::OkStatus());
  EXPECT_DEATH(callback(absl::OkStatus()), "called twice");
}

}  // namespace
}  // namespace shale
