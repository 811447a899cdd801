#include "shale/wal/sync_board.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SyncBoardTest : public testing::Test, public LogListener {
 protected:
  void OnDurable(LogPosition durable) override {
    told_.push_back(absl::StrCat("durable @", durable.value));
  }
  void OnHealth(const LogHealth& health) override {
    told_.push_back(health.state == LogHealth::State::kPoisoned  ? "poisoned"
                    : health.state == LogHealth::State::kStalled ? "stalled"
                                                                 : "serving");
  }
  void OnNewSegment() override { told_.push_back("segment"); }
  bool Wait(uint64_t position, SyncLevel level = SyncLevel::kData) {
    return board_.Wait(
        {position}, level, [this, position](absl::Status status) {
          told_.push_back(absl::StrCat(
              "@", position, " ", absl::StatusCodeToString(status.code())));
        });
  }

  ManualClock clock_;
  SyncBoard board_{{100}, clock_};
  std::vector<std::string> told_;
};

TEST_F(SyncBoardTest, WhatIsDurableIsToldAtOnceAndNotWanted) {
  EXPECT_FALSE(Wait(100));
  EXPECT_FALSE(board_.Want({50}, SyncLevel::kFull));
  EXPECT_THAT(told_, ElementsAre("@100 OK"));
  EXPECT_EQ(board_.wanted(SyncLevel::kData), LogPosition{100});
}

TEST_F(SyncBoardTest, ANewSegmentIsToldOnce) {
  board_.AddListener(this);
  board_.NoteSegment();
  board_.Deliver();
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("segment"));
}

TEST_F(SyncBoardTest, ListenersHearFirstThenWaitersInOrder) {
  board_.AddListener(this);
  EXPECT_TRUE(Wait(300));
  EXPECT_TRUE(Wait(200));
  EXPECT_EQ(board_.wanted(SyncLevel::kData), LogPosition{300});
  board_.Advance({250}, {100});
  EXPECT_THAT(told_, IsEmpty()) << "only Deliver tells";
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("durable @250", "@200 OK"));
  board_.Advance({300}, {100});
  board_.Deliver();
  board_.Deliver();
  EXPECT_THAT(
      told_, ElementsAre("durable @250", "@200 OK", "durable @300", "@300 OK"));
  board_.RemoveListener(this);
}

TEST_F(SyncBoardTest, EachLevelHasItsOwnWaiters) {
  Wait(200, SyncLevel::kFull);
  Wait(150, SyncLevel::kData);
  board_.Advance({200}, {100});
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("@150 OK"));
  board_.Advance({0}, {200});
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("@150 OK", "@200 OK"));
  EXPECT_EQ(board_.durable(SyncLevel::kData), LogPosition{200});
}

TEST_F(SyncBoardTest, PositionsNeverGoBack) {
  board_.Advance({300}, {200});
  board_.Advance({250}, {150});
  EXPECT_EQ(board_.durable(SyncLevel::kData), LogPosition{300});
  EXPECT_EQ(board_.durable(SyncLevel::kFull), LogPosition{200});
}

TEST_F(SyncBoardTest, AfterThePoisonNothingBecomesDurable) {
  board_.AddListener(this);
  Wait(200);
  board_.SetHealth(LogHealth::State::kPoisoned, absl::UnknownError("EIO"));
  board_.Advance({300}, {300});
  board_.SetHealth(LogHealth::State::kServing, absl::OkStatus());
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("poisoned", "@200 UNKNOWN"));
  EXPECT_FALSE(Wait(250));
  EXPECT_FALSE(Wait(100));
  EXPECT_THAT(told_, ElementsAre("poisoned", "@200 UNKNOWN", "@250 UNKNOWN",
                                 "@100 OK"));
  board_.RemoveListener(this);
}

TEST_F(SyncBoardTest, EveryChangeOfHealthIsTold) {
  board_.AddListener(this);
  board_.SetHealth(LogHealth::State::kStalled,
                   absl::ResourceExhaustedError("full"));
  board_.SetHealth(LogHealth::State::kStalled,
                   absl::ResourceExhaustedError("still full"));
  EXPECT_THAT(board_.health().cause,
              StatusIs(absl::StatusCode::kResourceExhausted, "full"));
  board_.SetHealth(LogHealth::State::kServing, absl::OkStatus());
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("stalled", "serving"));
  board_.RemoveListener(this);
}

TEST_F(SyncBoardTest, WaitingIsSinceTheLastProgress) {
  EXPECT_EQ(board_.waiting_since(), absl::InfiniteDuration());
  clock_.Advance(absl::Seconds(1));
  board_.Want({200}, SyncLevel::kData);
  clock_.Advance(absl::Seconds(1));
  board_.Want({300}, SyncLevel::kData);
  EXPECT_EQ(board_.waiting_since(), absl::Seconds(1));
  board_.Advance({200}, {100});
  EXPECT_EQ(board_.waiting_since(), absl::Seconds(2));
  board_.SetHealth(LogHealth::State::kStalled,
                   absl::ResourceExhaustedError("full"));
  EXPECT_EQ(board_.waiting_since(), absl::InfiniteDuration());
  clock_.Advance(absl::Seconds(1));
  board_.SetHealth(LogHealth::State::kServing, absl::OkStatus());
  EXPECT_EQ(board_.waiting_since(), absl::Seconds(3));
  board_.Advance({300}, {100});
  EXPECT_EQ(board_.waiting_since(), absl::InfiniteDuration());
}

// A callback that changes something doesn't tell it itself.
TEST_F(SyncBoardTest, ACallbackMayAdvanceTheBoard) {
  board_.Wait({200}, SyncLevel::kData, [this](absl::Status) {
    told_.push_back("first begins");
    board_.Advance({300}, {100});
    board_.Deliver();
    told_.push_back("first ends");
  });
  Wait(300);
  board_.Advance({200}, {100});
  board_.Deliver();
  EXPECT_THAT(told_, ElementsAre("first begins", "first ends", "@300 OK"));
}

TEST_F(SyncBoardTest, RemovingAListenerWaitsForItsCall) {
  class SlowListener final : public LogListener {
   public:
    void OnDurable(LogPosition) override {
      called.Notify();
      go.WaitForNotification();
      done = true;
    }
    void OnHealth(const LogHealth&) override {}
    void OnNewSegment() override {}
    absl::Notification called;
    absl::Notification go;
    bool done = false;
  };
  SlowListener listener;
  board_.AddListener(&listener);
  board_.Advance({200}, {100});
  std::thread deliverer([this] { board_.Deliver(); });
  listener.called.WaitForNotification();
  std::thread releaser([&listener] { listener.go.Notify(); });
  board_.RemoveListener(&listener);
  EXPECT_TRUE(listener.done);
  releaser.join();
  deliverer.join();
}

}  // namespace
}  // namespace shale
