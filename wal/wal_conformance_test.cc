// What every engine promises, without failures.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/completion.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/testing/log_harness.h"
#include "shale/wal/wal.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class WalTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalTest() { EXPECT_OK(log_.Open()); }
  ~WalTest() override { EXPECT_OK(log_.Close()); }

  // What a new owner is given to replay.
  std::vector<std::string> Reopen() {
    EXPECT_OK(log_.Close());
    EXPECT_OK(log_.Open());
    return log_.replayed().payloads;
  }
  Wal& wal() { return log_.wal(); }
  int64_t syncs() { return log_.CounterValue("shale_wal_syncs_total"); }

  LogHarness log_{*GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Engines, WalTest, testing::ValuesIn(AllVariants()),
                         VariantName);

TEST_P(WalTest, AFreshLogHasNothingToReplay) {
  EXPECT_THAT(log_.replayed().payloads, IsEmpty());
  EXPECT_EQ(log_.report().epoch_read, 0u);
  EXPECT_EQ(wal().appended(), wal().durable());
  EXPECT_EQ(wal().health().state, LogHealth::State::kServing);
}

TEST_P(WalTest, EntriesAreReplayedInTheOrderOfTheirAppends) {
  std::vector<std::string> written;
  for (int i = 0; i < 100; ++i) {
    written.push_back(absl::StrCat("entry ", i));
    ASSERT_OK(log_.Append(TestEntry(written.back())));
  }
  EXPECT_EQ(Reopen(), written);
  EXPECT_EQ(Reopen(), written) << "and again";
}

TEST_P(WalTest, AnEntryIsReplayedAsItWasAppended) {
  LogEntry entry = TestEntry("payload", /*region=*/3, 0x8000000000000001);
  entry.type = LogEntryType::kFlushCommit;
  entry.range = {{7}, {9}};
  entry.commit_timestamp = -5;
  entry.nonce = {11, 12};
  ASSERT_OK(log_.Append(entry));
  ASSERT_OK(log_.Close());
  CollectingSink sink;
  int calls = 0;
  sink.replay = [&](const LogRecord& record) {
    ++calls;
    EXPECT_EQ(record.entry.type, entry.type);
    EXPECT_EQ(record.entry.region, entry.region);
    EXPECT_EQ(record.entry.range, entry.range);
    EXPECT_EQ(record.entry.commit_timestamp, entry.commit_timestamp);
    EXPECT_EQ(record.entry.nonce, entry.nonce);
    EXPECT_EQ(record.entry.families, entry.families);
    EXPECT_EQ(record.entry.payload, entry.payload);
    return absl::OkStatus();
  };
  ASSERT_OK(log_.Open(sink));
  EXPECT_EQ(calls, 1);
}

TEST_P(WalTest, PositionsRiseByWhatTheRecordsTake) {
  const LogPosition start = wal().appended();
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  EXPECT_EQ(first.value, start.value + RecordBytes(1));
  ASSERT_OK_AND_ASSIGN(const LogPosition second, log_.Append(TestEntry("")));
  EXPECT_EQ(second.value, first.value + RecordBytes(0));
  EXPECT_EQ(wal().appended(), second);
}

TEST_P(WalTest, PositionsNeverGoBackAcrossOwners) {
  ASSERT_OK_AND_ASSIGN(const LogPosition old, log_.Append(TestEntry("a")));
  Reopen();
  EXPECT_THAT(log_.replayed().positions, ElementsAre(testing::Gt(old)));
}

// A12, HBASE-15699.
TEST_P(WalTest, SyncWithNothingAppendedReturns) {
  const int64_t before = syncs();
  EXPECT_OK(log_.Sync(kLogStart));
  EXPECT_OK(log_.Sync(wal().appended()));
  EXPECT_EQ(syncs(), before);
}

// HBASE-10714.
TEST_P(WalTest, TheFirstEntryOfAllCanBeSynced) {
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  EXPECT_OK(log_.Sync(first));
  EXPECT_GE(wal().durable(), first);
}

// A20.
TEST_P(WalTest, SyncOfADurablePositionSyncsNoFile) {
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  ASSERT_OK(log_.Sync(first));
  const int64_t before = syncs();
  EXPECT_OK(log_.Sync(first));
  wal().RequestSync(first, SyncLevel::kData);
  EXPECT_OK(log_.Sync(wal().appended()));
  EXPECT_EQ(syncs(), before);
}

TEST_P(WalTest, ASyncOfALaterEntryCoversTheEarlierOnes) {
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  ASSERT_OK_AND_ASSIGN(const LogPosition second, log_.Append(TestEntry("b")));
  ASSERT_OK(log_.Sync(second));
  EXPECT_GE(wal().durable(), first);
}

TEST_P(WalTest, AFullSyncIsNotCoveredByADataSync) {
  ASSERT_OK_AND_ASSIGN(const LogPosition first, log_.Append(TestEntry("a")));
  ASSERT_OK(log_.Sync(first, SyncLevel::kData));
  const int64_t before = syncs();
  ASSERT_OK_AND_ASSIGN(const LogPosition second, log_.Append(TestEntry("b")));
  ASSERT_OK(log_.Sync(second, SyncLevel::kFull));
  EXPECT_GT(syncs(), before);
  EXPECT_GE(wal().durable(), second);
  EXPECT_OK(log_.Sync(first, SyncLevel::kFull));
}

// A21.
TEST_P(WalTest, CallersAtOneTimeShareSyncs) {
  constexpr int kCallers = 10;
  const int64_t before = syncs();
  absl::Notification go;
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&, i] {
      go.WaitForNotification();
      ASSERT_OK_AND_ASSIGN(const LogPosition position,
                           log_.Append(TestEntry(absl::StrCat(i))));
      ASSERT_OK(log_.Sync(position));
      EXPECT_GE(wal().durable(), position);
    });
  }
  go.Notify();
  for (std::thread& caller : callers) caller.join();
  EXPECT_GE(syncs() - before, 1);
  EXPECT_LE(syncs() - before, kCallers);
}

// HBASE-22539.
TEST_P(WalTest, ThePayloadIsTheCallersAgainAfterAppend) {
  std::string payload = "precious";
  ASSERT_OK(log_.Append(TestEntry(payload)));
  std::fill(payload.begin(), payload.end(), '#');
  EXPECT_THAT(Reopen(), ElementsAre("precious"));
}

// A13.
TEST_P(WalTest, AClosedLogTakesNothing) {
  Waiter<absl::Status> reserved;
  wal().Reserve(1, absl::InfiniteDuration(), reserved.callback());
  ASSERT_OK(reserved.Wait());
  const LogPosition end = wal().appended();
  ASSERT_OK(wal().Close());
  const auto is_closed =
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("closed"));
  EXPECT_THAT(wal().Append(TestEntry("x"), 1), is_closed);
  EXPECT_THAT(log_.Append(TestEntry("x")), is_closed);
  EXPECT_THAT(log_.Roll(), is_closed);
  EXPECT_OK(log_.Sync(end));
  EXPECT_OK(wal().Close()) << "closing is idempotent";
}

TEST_P(WalTest, CloseMakesEverythingDurable) {
  ASSERT_OK_AND_ASSIGN(const LogPosition last, log_.Append(TestEntry("a")));
  ASSERT_OK(wal().Close());
  EXPECT_GE(wal().durable(), last);
  log_.Crash(/*seed=*/1);
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a"));
}

TEST_P(WalTest, AnEntryLargerThanASegmentIsWrittenWhole) {  // HBASE-15709.
  const std::string large = Random(1).Bytes(20 << 20);
  ASSERT_OK(log_.Write("small"));
  ASSERT_OK(log_.Write(large));
  ASSERT_OK(log_.Write("small"));
  EXPECT_EQ(Reopen(), (std::vector<std::string>{"small", large, "small"}));
}

TEST_P(WalTest, AnEntryLargerThanAnyRecordIsRefused) {
  Waiter<absl::Status> reserved;
  wal().Reserve(int64_t{kMaxPayloadBytes} + 1, absl::InfiniteDuration(),
                reserved.callback());
  EXPECT_THAT(reserved.Wait(), StatusIs(absl::StatusCode::kInvalidArgument));
  Waiter<absl::Status> negative;
  wal().Reserve(-1, absl::InfiniteDuration(), negative.callback());
  EXPECT_THAT(negative.Wait(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(WalTest, AnAppendMayTakeLessThanItReserved) {
  for (int i = 0; i < 100; ++i) {
    Waiter<absl::Status> reserved;
    wal().Reserve(1 << 20, absl::InfiniteDuration(), reserved.callback());
    ASSERT_OK(reserved.Wait());
    ASSERT_OK(wal().Append(TestEntry("x"), 1 << 20));
  }
  EXPECT_THAT(Reopen(), SizeIs(100));
}

// Positions in order, each listener alone.
class RecordingListener final : public LogListener {
 public:
  void OnDurable(LogPosition durable) override {
    absl::MutexLock lock(&mu_);
    EXPECT_GT(durable, last_);
    last_ = durable;
  }
  void OnHealth(const LogHealth&) override {}
  void OnNewSegment() override {}
  void AwaitDurable(LogPosition position) {
    absl::MutexLock lock(&mu_);
    const auto reached = [&] { return last_ >= position; };
    mu_.Await(absl::Condition(&reached));
  }

 private:
  absl::Mutex mu_;
  LogPosition last_;
};

TEST_P(WalTest, ListenersHearPositionsThatOnlyRise) {
  RecordingListener listener;
  wal().AddListener(&listener);
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) EXPECT_OK(log_.Write("entry"));
    });
  }
  for (std::thread& writer : writers) writer.join();
  ASSERT_OK_AND_ASSIGN(const LogPosition last, log_.Append(TestEntry("last")));
  wal().RequestSync(last, SyncLevel::kData);
  listener.AwaitDurable(last);
  wal().RemoveListener(&listener);
  EXPECT_OK(log_.Write("nobody hears of this"));
}

TEST_P(WalTest, CallbacksRunInTheOrderOfPositions) {
  absl::Mutex mu;
  std::vector<LogPosition> told;
  LogPosition last;
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK_AND_ASSIGN(last, log_.Append(TestEntry("entry")));
    wal().Sync(last, SyncLevel::kData, [&, last](absl::Status status) {
      EXPECT_OK(status);
      absl::MutexLock lock(&mu);
      told.push_back(last);
    });
  }
  ASSERT_OK(log_.Close());
  EXPECT_THAT(told, SizeIs(200));
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

TEST_P(WalTest, RollBeginsANewSegment) {
  ASSERT_OK(log_.Write("a"));
  const size_t before = log_.Segments().size();
  ASSERT_OK(log_.Roll());
  ASSERT_OK(log_.Write("b"));
  EXPECT_EQ(log_.Segments().size(), before + 1);
  EXPECT_THAT(Reopen(), ElementsAre("a", "b"));
}

TEST_P(WalTest, RollOfASegmentWithoutEntriesDoesNothing) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Roll());
  const std::vector<std::string> before = log_.Segments();
  for (int i = 0; i < 10; ++i) EXPECT_OK(log_.Roll());
  EXPECT_EQ(log_.Segments(), before);
}

// HBASE-27046.
TEST_P(WalTest, SegmentNamesOnlyRise) {
  std::vector<std::string> names = log_.Segments();
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(log_.Append(TestEntry("entry")));
    ASSERT_OK(log_.Roll());
    const std::string newest = log_.Segments().back();
    EXPECT_GE(newest, names.back());
    names.push_back(newest);
  }
  EXPECT_THAT(Reopen(), SizeIs(200));
}

TEST_P(WalTest, ReserveAndCancelLeaveNothingBehind) {
  for (int i = 0; i < 1000; ++i) {
    Waiter<absl::Status> reserved;
    wal().Reserve(1 << 20, absl::InfiniteDuration(), reserved.callback());
    ASSERT_OK(reserved.Wait());
    wal().CancelReservation(1 << 20);
  }
}

class SmallWalTest : public WalTest {
 protected:
  SmallWalTest() {
    EXPECT_OK(log_.Close());
    log_.options.segment_bytes = 64 << 10;
    log_.options.buffer_bytes = 64 << 10;
    EXPECT_OK(log_.Open());
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, SmallWalTest,
                         testing::ValuesIn(AllVariants()), VariantName);

TEST_P(SmallWalTest, ASegmentIsClosedOnceItHoldsItsBytes) {
  const std::string payload(10 << 10, 'x');
  for (int i = 0; i < 100; ++i) ASSERT_OK(log_.Write(payload));
  EXPECT_GE(log_.CounterValue("shale_wal_rolls_total"), 14);
  for (const std::string& name : log_.Segments()) {
    EXPECT_LE(log_.ReadBytes(name).size(), (64u << 10) + 2 * payload.size());
  }
  EXPECT_THAT(Reopen(), SizeIs(100));
}

TEST_P(SmallWalTest, AnEntryLargerThanTheBufferIsLetInAlone) {
  ASSERT_OK(log_.Write(std::string(1 << 20, 'x')));
  ASSERT_OK(log_.Write("small"));
  EXPECT_THAT(Reopen(), SizeIs(2));
}

// HBASE-16689: nobody asks for a sync, and yet there is always room again.
TEST_P(SmallWalTest, WhoWaitsForRoomGetsItWithoutAskingForASync) {
  const std::string payload(10 << 10, 'x');
  for (int i = 0; i < 200; ++i) ASSERT_OK(log_.Append(TestEntry(payload)));
  EXPECT_THAT(Reopen(), SizeIs(200));
}

// HBASE-16429, 16824.
TEST_P(SmallWalTest, RollsUnderLoadLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kEntries = 150;
  std::atomic<bool> done = false;
  std::thread roller([&] {
    while (!done) EXPECT_OK(log_.Roll());
  });
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < kEntries; ++i) {
        EXPECT_OK(log_.Write(absl::StrCat(t, std::string(5000, 'x'))));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  roller.join();
  EXPECT_THAT(Reopen(), SizeIs(kThreads * kEntries));
}

}  // namespace
}  // namespace shale
