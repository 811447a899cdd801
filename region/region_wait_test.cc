// What a commit waits for, and that nothing waits in vain.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kTimeout = absl::Seconds(10);

// A batch that was begun, and what becomes of it.
class Begun {
 public:
  Begun(Region& region, RowMutation mutation, Nonce nonce = {}) {
    MutationBatch batch;
    batch.mutations.push_back(std::move(mutation));
    batch.nonce = nonce;
    batch.want_results = true;
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

class RegionWaitTest : public testing::Test {
 protected:
  void Open(RegionOptions region_options, HostOptions host_options = {},
            Clock& clock = RealClock()) {
    host_ =
        std::make_unique<TestHost>(files_, TestHost::Schema(), region_options,
                                   std::move(host_options), clock);
    ASSERT_OK(host_->Open());
  }
  // With counters "a" and "b" in a store file, and none of it cached.
  void OpenWithCounters(Clock& clock = RealClock()) {
    RegionOptions options;
    options.flush_bytes = 64 << 10;
    options.write_timeout = kTimeout;
    Open(options, {}, clock);
    ASSERT_OK(region().Apply(Count("a")));
    ASSERT_OK(region().Apply(Count("b")));
    ASSERT_OK(region().Flush());
    host_->Reopen();
  }
  static RowMutation Count(const std::string& row) {
    return RowMutation(row).Increment("f", "q", 1);
  }

  void Hold(FileOp op) {
    files_.faults().Inject({.op = op,
                            .name = "host/regions/*.store",
                            .times = FaultRule::kAlways,
                            .fault = {.effect = Fault::Effect::kHeld}});
  }
  void LetGo() {
    files_.faults().WithdrawAll();
    files_.faults().Release();
  }
  Region& region() { return host_->region(); }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  std::unique_ptr<TestHost> host_;
};

HostOptions WithSequencer(const std::string& name) {
  HostOptions options;
  for (const RowCommitSequencerVariant& variant :
       RowCommitSequencerVariants()) {
    if (variant.name == name) {
      options.components.commit_sequencer = variant.create;
    }
  }
  SHALE_CHECK(options.components.commit_sequencer) << name;
  return options;
}

RowMutation Large(const std::string& row, size_t bytes) {
  return RowMutation(row).Put("f", "q", std::string(bytes, 'v'));
}

// What takes up the room is admitted and waits for its row, so that the flush
// that was asked for frees none of it; and nothing is written after it.
TEST_F(RegionWaitTest, WhatIsInsertedAfterTheFlushIsFlushedForWhoWaits) {
  constexpr int kCommits = 50;
  RegionOptions options;
  options.flush_bytes = 100 << 10;
  options.blocking_multiplier = 2;
  options.write_timeout = kTimeout;
  Open(options, WithSequencer("tick"));
  std::vector<std::unique_ptr<Begun>> ticks;
  for (int i = 0; i < kCommits; ++i) {
    ticks.push_back(
        std::make_unique<Begun>(region(), RowMutation("r").Put("f", "q", "v")));
  }
  Begun last(region(), Large("r", 80 << 10));  // kCommits ticks later.
  Begun waits(region(), Large("w", 150 << 10));
  EXPECT_OK(waits.Wait());
  EXPECT_OK(last.Wait());
  for (const std::unique_ptr<Begun>& tick : ticks) EXPECT_OK(tick->Wait());
}

TEST_F(RegionWaitTest, AWriteWithMetadataIsSyncedOnce) {
  constexpr int kWrites = 20;
  Open({});
  const uint64_t before = files_.faults().calls(FileOp::kSync);
  const uint64_t full_before = files_.faults().full_syncs();
  for (int i = 0; i < kWrites; ++i) {
    ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", absl::StrCat(i)),
                             Durability::kFsyncWal));
  }
  EXPECT_EQ(files_.faults().calls(FileOp::kSync) - before, kWrites);
  EXPECT_EQ(files_.faults().full_syncs() - full_before, kWrites);
}

TEST_F(RegionWaitTest, ADefaultDurabilityIsThatOfTheOptions) {
  const FaultPlan& faults = files_.faults();
  for (const Durability level : {Durability::kSkipWal, Durability::kAsyncWal,
                                 Durability::kSyncWal, Durability::kFsyncWal}) {
    SCOPED_TRACE(static_cast<int>(level));
    RegionOptions options;
    options.default_durability = level;
    host_.reset();
    Open(options, WithSequencer("off"));  // So that none waits for a tick.
    for (const RowMutation& mutation :
         {RowMutation("r").Put("f", "p", "v"), Count("r")}) {
      const uint64_t appends = faults.calls(FileOp::kAppend);
      const uint64_t full = faults.full_syncs();
      files_.faults().Inject({.op = FileOp::kSync,
                              .name = "host/wal/*",
                              .times = FaultRule::kAlways,
                              .fault = {.effect = Fault::Effect::kHeld}});
      Begun write(region(), mutation);
      if (level >= Durability::kAsyncWal) files_.faults().AwaitHeld(1);
      EXPECT_EQ(faults.calls(FileOp::kAppend) > appends,
                level >= Durability::kAsyncWal);
      if (level <= Durability::kAsyncWal) {
        EXPECT_OK(write.Wait()) << "no sync is over";
      } else {
        EXPECT_FALSE(write.done());
      }
      EXPECT_EQ(faults.full_syncs() - full,
                level == Durability::kFsyncWal ? 1 : 0);
      LetGo();
      EXPECT_OK(write.Wait());
    }
  }
}

TEST_F(RegionWaitTest, ABatchIsDoneAtTheHighestLevelOfItsMutations) {
  Open({}, WithSequencer("off"));
  files_.faults().Inject({.op = FileOp::kSync,
                          .name = "host/wal/*",
                          .times = FaultRule::kAlways,
                          .fault = {.effect = Fault::Effect::kHeld}});
  MutationBatch batch;
  batch.durability = Durability::kSkipWal;
  batch.mutations.push_back(RowMutation("r").Put("f", "q", "v"));
  EXPECT_OK(region().Apply(batch).status()) << "nothing to wait for";
  batch.mutations.push_back(
      RowMutation("s").Put("f", "q", "v").WithDurability(Durability::kSyncWal));
  absl::Notification done;
  region().ApplyAsync(batch, [&](ApplyResult result) {
    EXPECT_OK(result.status());
    done.Notify();
  });
  files_.faults().AwaitHeld(1);
  EXPECT_FALSE(done.HasBeenNotified());
  LetGo();
  done.WaitForNotification();
}

TEST_F(RegionWaitTest, WhoWaitsForAReadIsRefusedAtItsDeadline) {
  ManualClock clock;
  OpenWithCounters(clock);
  Hold(FileOp::kRead);
  Begun reads(region(), Count("a"));
  files_.faults().AwaitHeld(1);
  Begun queued(region(), Count("b"));  // There is one thread for reads.
  const auto refused = StatusIs(absl::StatusCode::kResourceExhausted,
                                HasSubstr("waiting for a read of store files"));
  clock.Advance(kTimeout);
  EXPECT_THAT(queued.Wait(), refused);
  EXPECT_FALSE(reads.done());
  LetGo();
  EXPECT_THAT(reads.Wait(), refused);
  for (const char* row : {"a", "b"}) {
    EXPECT_EQ(ReadText(region(), row, {}, /*timestamps=*/false),
              absl::StrCat(row, "/f:q=", std::string(7, '\0'), "\x01"));
  }
  host_.reset();  // Before its clock.
}

TEST_F(RegionWaitTest, ARepeatWhoseResultIsKnownWaitsForNoRead) {
  OpenWithCounters();
  ASSERT_OK(Begun(region(), Count("c"), {1, 7}).Wait());
  Hold(FileOp::kRead);
  Begun reads(region(), Count("a"));
  files_.faults().AwaitHeld(1);
  Begun repeat(region(), Count("c"), {1, 7});
  EXPECT_TRUE(repeat.done());
  LetGo();
  EXPECT_OK(repeat.Wait());
  EXPECT_OK(reads.Wait());
}

TEST_F(RegionWaitTest, ARepeatThatMustReadIsEndedAtItsDeadline) {
  ManualClock clock;
  OpenWithCounters(clock);
  ASSERT_OK(Begun(region(), Count("c"), {1, 7}).Wait());
  ASSERT_OK(region().Flush());
  host_->Reopen();  // What it made isn't remembered.
  Hold(FileOp::kRead);
  Begun repeat(region(), Count("c"), {1, 7});
  files_.faults().AwaitHeld(1);
  clock.Advance(kTimeout);
  EXPECT_THAT(repeat.Wait(), StatusIs(absl::StatusCode::kUnknown,
                                      HasSubstr("applied before")));
  LetGo();
  EXPECT_OK(Begun(region(), Count("c"), {1, 7}).Wait());
  host_.reset();  // Before its clock.
}

TEST_F(RegionWaitTest, AReadForAWriteWaitsForNoFlush) {
  OpenWithCounters();
  Hold(FileOp::kAppend);
  ASSERT_OK(region().Apply(Large("large", 80 << 10)));  // And it is flushed.
  files_.faults().AwaitHeld(1);
  EXPECT_OK(Begun(region(), Count("a")).Wait());
  LetGo();
}

}  // namespace
}  // namespace shale
