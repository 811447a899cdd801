// Syncs that come back late, in another order, or never; by every engine.
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/completion.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/wal/testing/health_listener.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Holds syncs of a file until they are let go, each with its own outcome.
class SyncGate {
 public:
  absl::Status operator()(FileOp op, absl::string_view name) {
    absl::MutexLock lock(&mu_);
    if (op == FileOp::kAppend) ++appends_;
    if (op != FileOp::kSync) return absl::OkStatus();
    const int turn = arrived_++;
    const auto is_open = [this, turn] { return verdicts_.count(turn) > 0; };
    mu_.Await(absl::Condition(&is_open));
    return verdicts_[turn]
               ? absl::OkStatus()
               : FileError(FileOutcome::kIoError, "sync", name, "EIO");
  }
  void AwaitArrived(int count) {
    absl::MutexLock lock(&mu_);
    const auto have = [this, count] { return arrived_ >= count; };
    mu_.Await(absl::Condition(&have));
  }
  int appends() {
    absl::MutexLock lock(&mu_);
    return appends_;
  }
  void Let(int turn, bool succeed) {
    absl::MutexLock lock(&mu_);
    verdicts_[turn] = succeed;
  }
  void OpenForAll(int from) {
    for (int turn = from; turn < from + 1000; ++turn) Let(turn, true);
  }

 private:
  absl::Mutex mu_;
  int arrived_ = 0;
  int appends_ = 0;  // To files, begun.
  std::map<int, bool> verdicts_;
};

class WalLateSyncTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalLateSyncTest() { EXPECT_OK(log_.Open()); }

  Wal& wal() { return log_.wal(); }
  std::vector<std::string> CrashAndReopen() {
    log_.Crash(/*seed=*/1);
    EXPECT_OK(log_.Open());
    return log_.replayed().payloads;
  }

  LogHarness log_{*GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Engines, WalLateSyncTest,
                         testing::ValuesIn(AllVariants()), VariantName);

// An error is reported once, to whichever sync meets it: the later one proves
// nothing while the earlier one is out.
TEST_P(WalLateSyncTest, ALaterSyncDoesNotCountBeforeAnEarlierOne) {
  SyncGate gate;
  log_.files().SetHook(std::ref(gate));
  const LogPosition before = wal().durable();
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  wal().RequestSync(first, SyncLevel::kData);
  gate.AwaitArrived(1);
  ASSERT_OK_AND_ASSIGN(const LogPosition second, log_.Append(TestEntry("b")));
  Waiter<absl::Status> synced;
  wal().Sync(second, SyncLevel::kData, synced.callback());
  gate.AwaitArrived(2);
  gate.Let(1, /*succeed=*/true);
  EXPECT_EQ(wal().durable(), before);
  gate.Let(0, /*succeed=*/false);
  gate.AwaitArrived(3);  // On the next segment, of both entries.
  EXPECT_EQ(wal().durable(), before);
  gate.OpenForAll(2);
  EXPECT_OK(synced.Wait());
  log_.files().SetHook(nullptr);
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b"));
}

// While a device is busy, what comes meanwhile gathers for its next sync.
TEST_P(WalLateSyncTest, EntriesThatHadToQueueForASyncShareOne) {
  SyncGate gate;
  log_.files().SetHook(std::ref(gate));
  const int64_t before = log_.CounterValue("shale_wal_syncs_total");
  const int syncers = log_.options.syncer_threads;
  LogPosition last;
  for (int i = 0; i < 4 * syncers; ++i) {
    ASSERT_OK_AND_ASSIGN(last, log_.Append(TestEntry("a")));
    wal().RequestSync(last, SyncLevel::kData);
    if (i < syncers) gate.AwaitArrived(i + 1);
  }
  gate.OpenForAll(0);
  ASSERT_OK(log_.Sync(last));
  EXPECT_LE(log_.CounterValue("shale_wal_syncs_total") - before, 2 * syncers);
  EXPECT_LE(gate.appends(), 2 * syncers) << "nor written one by one";
  log_.files().SetHook(nullptr);
}

// HBASE-22761, 26832.
TEST_P(WalLateSyncTest, ALateSyncOfAFailedSegmentChangesNothing) {
  SyncGate gate;
  log_.files().SetHook(std::ref(gate));
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  wal().RequestSync(first, SyncLevel::kData);
  gate.AwaitArrived(1);
  ASSERT_OK_AND_ASSIGN(const LogPosition second, log_.Append(TestEntry("b")));
  wal().RequestSync(second, SyncLevel::kData);
  gate.AwaitArrived(2);
  gate.Let(1, /*succeed=*/false);
  gate.AwaitArrived(3);           // The next segment's.
  gate.Let(0, /*succeed=*/true);  // Of the failed one, late.
  gate.OpenForAll(2);
  ASSERT_OK(log_.Sync(second));
  ASSERT_OK(log_.Write("c"));
  EXPECT_EQ(log_.CounterValue("shale_wal_segment_failures_total"), 1);
  log_.files().SetHook(nullptr);
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b", "c"));
}

// HBASE-25905.
TEST_P(WalLateSyncTest, ARollThatWaitsForAFailingSyncGoesOn) {
  SyncGate gate;
  log_.files().SetHook(std::ref(gate));
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  wal().RequestSync(position, SyncLevel::kData);
  gate.Let(0, false);
  gate.Let(1, false);
  gate.AwaitArrived(3);
  Waiter<absl::Status> rolled;
  wal().Roll(rolled.callback());
  gate.Let(2, false);
  gate.OpenForAll(3);
  EXPECT_OK(rolled.Wait());
  EXPECT_OK(log_.Sync(position));
  log_.files().SetHook(nullptr);
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a"));
}

class WalTimeTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalTimeTest() { EXPECT_OK(log_.Open()); }

  ManualClock clock_;
  LogHarness log_{*GetParam(), clock_};
};

INSTANTIATE_TEST_SUITE_P(Engines, WalTimeTest, testing::ValuesIn(AllVariants()),
                         VariantName);

// HBASE-22301: a hung device.
TEST_P(WalTimeTest, ASyncThatNeverEndsPoisonsTheLog) {
  SyncGate gate;
  log_.files().SetHook(std::ref(gate));
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  Waiter<absl::Status> synced;
  log_.wal().Sync(position, SyncLevel::kData, synced.callback());
  gate.AwaitArrived(1);
  clock_.Advance(log_.options.sync_timeout - absl::Seconds(1));
  EXPECT_EQ(log_.wal().health().state, LogHealth::State::kServing);
  clock_.Advance(absl::Minutes(6));
  EXPECT_THAT(synced.Wait(), StatusIs(absl::StatusCode::kUnknown,
                                      HasSubstr("nothing became durable")));
  EXPECT_THAT(log_.wal().health().cause,
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  gate.OpenForAll(0);
  log_.Kill();
}

// What a roll waits for ends well just when the log has been given up: when
// those who wait for room are told so, before the engine is.
TEST_P(WalTimeTest, ASyncThatComesBackAsARollsLogIsPoisonedAbortsNothing) {
  for (int round = 0; round < 10; ++round) {
    SyncGate gate;
    log_.files().SetHook(std::ref(gate));
    ASSERT_OK_AND_ASSIGN(const LogPosition position,
                         log_.Append(TestEntry("a")));
    log_.wal().RequestSync(position, SyncLevel::kData);
    gate.AwaitArrived(1);
    Waiter<absl::Status> rolled;
    log_.wal().Roll(rolled.callback());
    const int64_t syncs = log_.CounterValue("shale_wal_syncs_total");
    Waiter<absl::Status> refused;
    // More than there is room for.
    log_.wal().Reserve(log_.options.buffer_bytes / 2, absl::InfiniteDuration(),
                       [](const absl::Status& status) { EXPECT_OK(status); });
    log_.wal().Reserve(
        log_.options.buffer_bytes / 2, absl::InfiniteDuration(),
        [&, done = refused.callback()](absl::Status status) mutable {
          gate.Let(0, /*succeed=*/true);
          while (log_.CounterValue("shale_wal_syncs_total") == syncs) {
            std::this_thread::yield();
          }
          // Time for the roll to go on, were it to.
          for (int i = 0; i < 1000; ++i) std::this_thread::yield();
          done(std::move(status));
        });
    clock_.Advance(2 * log_.options.sync_timeout);
    EXPECT_THAT(refused.Wait(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(rolled.Wait(), StatusIs(absl::StatusCode::kFailedPrecondition));
    log_.files().SetHook(nullptr);
    log_.Kill();
    ASSERT_OK(log_.Open());
    EXPECT_THAT(log_.replayed().payloads, SizeIs(round + 1));
  }
}

TEST_P(WalTimeTest, AnIdleLogIsNeverTooLate) {
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(absl::Minutes(60));
    ASSERT_OK(log_.Write("a"));
  }
  EXPECT_EQ(log_.wal().health().state, LogHealth::State::kServing);
  EXPECT_OK(log_.Close());
}

TEST_P(WalTimeTest, AStalledLogIsPatient) {
  log_.files().SetHook([](FileOp op, absl::string_view name) {
    return op == FileOp::kAppend
               ? FileError(FileOutcome::kNoSpace, "append", name, "full")
               : absl::OkStatus();
  });
  HealthListener health;
  log_.wal().AddListener(&health);
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  Waiter<absl::Status> synced;
  log_.wal().Sync(position, SyncLevel::kData, synced.callback());
  health.AwaitNext(LogHealth::State::kStalled);
  for (int i = 0; i < 20; ++i) clock_.Advance(absl::Minutes(1));
  EXPECT_EQ(log_.wal().health().state, LogHealth::State::kStalled);
  log_.files().SetHook(nullptr);
  while (log_.wal().health().state == LogHealth::State::kStalled) {
    clock_.Advance(absl::Seconds(1));
  }
  EXPECT_OK(synced.Wait());
  log_.wal().RemoveListener(&health);
  EXPECT_OK(log_.Close());
}

TEST_P(WalTimeTest, ASlowSyncIsLoggedOnceWithItsParts) {
  std::atomic<bool> slow = true;
  log_.files().SetHook([&](FileOp op, absl::string_view) {
    if (op == FileOp::kSync && slow.exchange(false)) {
      clock_.Advance(absl::Milliseconds(300));
    }
    return absl::OkStatus();
  });
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Write("b"));
  ASSERT_OK(log_.Close());
  EXPECT_THAT(log_.log.lines(),
              ElementsAre(AllOf(HasSubstr("slow sync of host/wal/"),
                                HasSubstr("300ms in the file system"),
                                HasSubstr("waiting for a syncer"))));
}

}  // namespace
}  // namespace shale
