// What callers see while the log finds no space: every wait ends in time and
// says why. Time is the test's.
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Matcher;

// More than half of the log's buffer.
constexpr size_t kLarge = 40 << 10;

Matcher<absl::Status> EndsStalled(Matcher<absl::StatusCode> code,
                                  const std::string& what) {
  return StatusIs(code, AllOf(HasSubstr(what), HasSubstr(" is stalled since "),
                              HasSubstr("No space left on device")));
}

// A write that was begun, and what becomes of it.
class BegunWrite {
 public:
  BegunWrite(Region& region, const std::string& row, size_t bytes) {
    MutationBatch batch;
    batch.mutations.push_back(
        RowMutation(row).Put("f", "q", std::string(bytes, 'v'), 1));
    region.ApplyAsync(std::move(batch), [this](ApplyResult result) {
      status_ = result.status();
      done_.Notify();
    });
  }
  bool done() const { return done_.HasBeenNotified(); }
  absl::Status Wait() {
    done_.WaitForNotification();
    return status_;
  }

 private:
  absl::Notification done_;
  absl::Status status_;
};

class RegionStallTest : public testing::Test {
 protected:
  RegionStallTest()
      : executor_(2, RealClock()),
        memory_(executor_),
        files_(memory_, executor_),
        host_(files_, TestHost::Schema(), RegionSettings(), HostSettings(),
              clock_) {
    EXPECT_OK(host_.Open());
    EXPECT_OK(region().Apply(RowMutation("before").Put("f", "q", "v", 1)));
  }

  static RegionOptions RegionSettings() {
    RegionOptions options;
    options.flush_bytes = 1 << 20;  // None begins by itself.
    options.blocking_multiplier = 100;
    return options;
  }
  static HostOptions HostSettings() {
    HostOptions options;
    options.wal.buffer_bytes = 64 << 10;
    // Time stands still: nobody may wait for a tick.
    options.components.commit_sequencer =
        RowCommitSequencerVariants().front().create;
    options.components.mvcc = [](const MvccOptions& defaults, Clock& clock) {
      MvccOptions options = defaults;
      options.slots = 4;
      return NewMvcc(options, clock);
    };
    return options;
  }

  Region& region() { return host_.region(); }
  absl::Duration timeout() const { return RegionSettings().write_timeout; }

  void AwaitState(HealthState state) {
    while (region().Health().state != state) std::this_thread::yield();
  }
  // Fills the disk; a first write finds that out.
  std::unique_ptr<BegunWrite> Stall(size_t bytes = 1) {
    full_ = files_.faults().Inject({.name = "host/wal/*",
                                    .times = FaultRule::kAlways,
                                    .fault = {.error_number = ENOSPC}});
    auto write = std::make_unique<BegunWrite>(region(), "first", bytes);
    AwaitState(HealthState::kStalled);
    return write;
  }
  void MakeSpace() { files_.faults().Withdraw(full_); }
  void AwaitServing() {
    while (region().Health().state != HealthState::kServing) Pass();
  }
  // Lets time pass, for whoever may be waiting.
  void Pass() {
    clock_.Advance(absl::Milliseconds(100));
    std::this_thread::yield();
  }
  // What `call` returns; time passes meanwhile.
  template <typename Call>
  absl::Status WhileTimePasses(Call call) {
    absl::Status status;
    absl::Notification done;
    std::thread caller([&] {
      status = call();
      done.Notify();
    });
    while (!done.HasBeenNotified()) Pass();
    caller.join();
    return status;
  }

  ManualClock clock_;
  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
  FaultRuleId full_ = {};
  TestHost host_;
};

TEST_F(RegionStallTest, WhatWasAppendedIsUnknownAtItsDeadlineAndGoesOn) {
  const auto write = Stall();
  clock_.Advance(timeout() - absl::Milliseconds(1));
  EXPECT_FALSE(write->done());
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_THAT(write->Wait(), EndsStalled(absl::StatusCode::kUnknown,
                                         "appended and not confirmed within"));
  EXPECT_EQ(ReadText(region(), "first"), "");
  MakeSpace();
  AwaitServing();
  while (ReadText(region(), "first").empty()) Pass();
  ASSERT_OK(region().Apply(RowMutation("after").Put("f", "q", "v", 1)));
}

TEST_F(RegionStallTest, AThreadThatBlocksForItsWriteIsFreedToo) {
  const auto write = Stall();
  const auto put = [&] {
    return region().Apply(RowMutation("blocked").Put("f", "q", "v", 1));
  };
  EXPECT_THAT(WhileTimePasses(put),
              EndsStalled(absl::StatusCode::kUnknown,
                          "appended and not confirmed within"));
  // Before a read it waits for the writes of before, with nothing applied yet;
  // without that for its own.
  const auto increment = [&] {
    return region().Apply(RowMutation("sum").Increment("f", "q", 1));
  };
  EXPECT_THAT(WhileTimePasses(increment),
              EndsStalled(testing::_, " within 30s"));
  EXPECT_THAT(write->Wait(), StatusIs(absl::StatusCode::kUnknown));
  MakeSpace();
  AwaitServing();
  ASSERT_OK(put());
}

TEST_F(RegionStallTest, ABlockingCheckThatWaitsForTheLogSaysSo) {
  const auto write = Stall();
  // It fails by what isn't confirmed, so it writes nothing and mustn't say so.
  const auto check = [&] {
    return region()
        .CheckAndMutate(
            CheckAndMutate("first", RowMutation("first").Put("f", "q", "w"))
                .IfNotExists("f", "q"))
        .status;
  };
  const absl::Status status = WhileTimePasses(check);
  EXPECT_THAT(status, EndsStalled(absl::StatusCode::kResourceExhausted,
                                  "nothing applied within 30s"));
  EXPECT_THAT(status.message(),
              AnyOf(HasSubstr("waiting for the log:"),
                    HasSubstr("waiting for the writes before it:")));
  EXPECT_THAT(write->Wait(), StatusIs(absl::StatusCode::kUnknown));
}

TEST_F(RegionStallTest, WhoFindsNoRoomInTheLogIsRefusedAtItsDeadline) {
  const auto first = Stall(kLarge);
  BegunWrite second(region(), "second", kLarge);
  BegunWrite third(region(), "third", kLarge);
  clock_.Advance(timeout());
  EXPECT_THAT(second.Wait(), EndsStalled(absl::StatusCode::kResourceExhausted,
                                         "no room in the log's buffer"));
  EXPECT_THAT(third.Wait(), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(first->Wait(), StatusIs(absl::StatusCode::kUnknown));
  MakeSpace();
  AwaitServing();
  EXPECT_OK(region().Apply(RowMutation("after").Put("f", "q", "v", 1)));
  EXPECT_EQ(ReadText(region(), "second"), "") << "nothing of it was applied";
}

TEST_F(RegionStallTest, WhoFindsTooManyInFlightIsRefusedAtItsDeadline) {
  const auto first = Stall();
  std::vector<std::unique_ptr<BegunWrite>> more;
  for (int i = 0; i < 6; ++i) {
    more.push_back(
        std::make_unique<BegunWrite>(region(), absl::StrCat("more", i), 1));
  }
  clock_.Advance(timeout());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(more[i]->Wait(), StatusIs(absl::StatusCode::kUnknown));
  }
  for (int i = 3; i < 6; ++i) {
    EXPECT_THAT(more[i]->Wait(),
                EndsStalled(absl::StatusCode::kResourceExhausted,
                            "nothing applied within 30s"));
  }
  EXPECT_THAT(first->Wait(), StatusIs(absl::StatusCode::kUnknown));
  MakeSpace();
  AwaitServing();
  // The slots that came too late for those writes were given back.
  for (int i = 0; i < 10; ++i) {
    ASSERT_OK(region().Apply(RowMutation("after").Put("f", "q", "v", 1)));
  }
  EXPECT_EQ(ReadText(region(), "more5"), "");
}

TEST_F(RegionStallTest, AFlushEndsTooAndCanBeRepeated) {
  const auto write = Stall(64 << 10);  // No marker fits beside it.
  EXPECT_THAT(WhileTimePasses([&] { return region().Flush().status(); }),
              EndsStalled(absl::StatusCode::kResourceExhausted,
                          "the frozen writes are not confirmed"));
  EXPECT_THAT(host_.log().lines(), Contains(HasSubstr("no marker was logged")));
  EXPECT_THAT(write->Wait(), StatusIs(absl::StatusCode::kUnknown));
  MakeSpace();
  AwaitServing();
  EXPECT_OK(region().Flush().status());
  EXPECT_GE(region().Stats().families[0].files, 1);
}

TEST_F(RegionStallTest, CloseEndsWithItsWritersAndSaysWhy) {
  const auto appended = Stall(kLarge);
  BegunWrite waiting(region(), "waiting", kLarge);
  EXPECT_THAT(WhileTimePasses([&] { return region().Close(); }),
              EndsStalled(absl::StatusCode::kResourceExhausted,
                          "closed without a flush"));
  EXPECT_THAT(appended->Wait(), StatusIs(absl::StatusCode::kUnknown));
  EXPECT_THAT(waiting.Wait(), StatusIs(absl::StatusCode::kResourceExhausted));
  // Of the log, which is closed with the host.
  EXPECT_THAT(host_.Close(), StatusIs(absl::StatusCode::kResourceExhausted));
  MakeSpace();
  ASSERT_OK(host_.Open());
  EXPECT_EQ(ReadText(region(), "before"), "before/f:q@1=v");
  EXPECT_EQ(ReadText(region(), "waiting"), "");
}

TEST_F(RegionStallTest, AFailedBackgroundFlushIsTriedAgain) {
  files_.faults().Inject({.op = FileOp::kAppend,
                          .name = "host/regions/*.store",
                          .times = 2,  // Also in the space set aside.
                          .fault = {.error_number = ENOSPC}});
  // More than flush_bytes, after which nobody writes or waits.
  for (int i = 0; i < 30; ++i) {
    ASSERT_OK(region().Apply(
        RowMutation("large").Put("f", "q", std::string(kLarge, 'v'), 1)));
  }
  while (region().Stats().families[0].files == 0) Pass();
  EXPECT_THAT(host_.log().lines(), Contains(HasSubstr("background flush: ")));
}

}  // namespace
}  // namespace shale
