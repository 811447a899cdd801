// What users see of a log whose file system fails, by every engine.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/completion.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/wal/testing/health_listener.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

absl::Status IoError(absl::string_view name) {
  return FileError(FileOutcome::kIoError, "write", name, "EIO");
}

// Fails chosen operations, and counts them all. Thread-safe.
class Script {
 public:
  // The next `times` operations of this kind fail.
  void FailNext(FileOp op, int times,
                FileOutcome outcome = FileOutcome::kIoError) {
    absl::MutexLock lock(&mu_);
    failures_[op] = {times, outcome};
  }

  absl::Status operator()(FileOp op, absl::string_view name) {
    absl::MutexLock lock(&mu_);
    const std::string file(name);
    if (op == FileOp::kAppend) {
      // A sync may have been on its way, but a write comes from one thread.
      went_back_ |= file < newest_file_;
      newest_file_ = std::max(newest_file_, file);
    }
    if (op != FileOp::kRemove && failed_files_.count(file) > 0) {
      return IoError(name);
    }
    auto& [times, outcome] = failures_[op];
    if (times == 0) return absl::OkStatus();
    --times;
    if (op != FileOp::kCreate) failed_files_.insert(file);
    return FileError(outcome, "do", name, "scripted");
  }

  // Whether a file was written to after its successor.
  bool went_back() const {
    absl::MutexLock lock(&mu_);
    return went_back_;
  }
  bool spent(FileOp op) const {
    absl::MutexLock lock(&mu_);
    return failures_.at(op).first == 0;
  }

 private:
  mutable absl::Mutex mu_;
  std::map<FileOp, std::pair<int, FileOutcome>> failures_;
  std::set<std::string> failed_files_;
  std::string newest_file_;
  bool went_back_ = false;
};

class WalFailureTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  explicit WalFailureTest(Clock& clock = RealClock())
      : log_(*GetParam(), clock) {
    log_.options.stall_retry = absl::Milliseconds(1);
    EXPECT_OK(log_.Open());
    log_.wal().AddListener(&health_);
    UseScript();
  }
  ~WalFailureTest() override {
    EXPECT_FALSE(script_.went_back());
    log_.Kill();
  }

  void UseScript() { log_.files().SetHook(std::ref(script_)); }
  Wal& wal() { return log_.wal(); }
  std::vector<std::string> CrashAndReopen() {
    log_.Crash(/*seed=*/1);
    EXPECT_OK(log_.Open());
    return log_.replayed().payloads;
  }

  Script script_;
  HealthListener health_;
  LogHarness log_;
};

INSTANTIATE_TEST_SUITE_P(Engines, WalFailureTest,
                         testing::ValuesIn(AllVariants()), VariantName);

TEST_P(WalFailureTest, NobodySeesAFailedSync) {
  ASSERT_OK(log_.Write("a"));
  script_.FailNext(FileOp::kSync, 1);
  ASSERT_OK(log_.Write("b"));
  ASSERT_OK(log_.Write("c"));
  EXPECT_EQ(log_.CounterValue("shale_wal_segment_failures_total"), 1);
  EXPECT_EQ(wal().health().state, LogHealth::State::kServing);
  EXPECT_THAT(log_.log.lines(), Contains(HasSubstr("is given up")));
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b", "c"));
}

TEST_P(WalFailureTest, NobodySeesAFailedAppend) {
  ASSERT_OK(log_.Write("a"));
  script_.FailNext(FileOp::kAppend, 1);
  ASSERT_OK(log_.Write("b"));
  ASSERT_OK(log_.Write("c"));
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b", "c"));
}

TEST_P(WalFailureTest, AFailureAtEveryStepLosesNothing) {
  std::vector<std::string> written;
  for (const FileOp op : {FileOp::kSync, FileOp::kAppend, FileOp::kCreate}) {
    for (int times = 1; times <= 2; ++times) {
      script_.FailNext(op, times);
      for (int i = 0; i < 5; ++i) {
        written.push_back(absl::StrCat("entry ", written.size()));
        ASSERT_OK(log_.Write(written.back()));
        if (i == 2) {
          log_.Roll().IgnoreError();  // It may be what fails.
        }
      }
    }
  }
  EXPECT_EQ(CrashAndReopen(), written);
}

// Acknowledged entries that nobody waits for are kept like any other.
TEST_P(WalFailureTest, EntriesWithoutASyncSurviveAFailureToo) {
  ASSERT_OK(log_.Append(TestEntry("async")));
  script_.FailNext(FileOp::kSync, 1);
  ASSERT_OK(log_.Write("sync"));
  EXPECT_THAT(CrashAndReopen(), ElementsAre("async", "sync"));
}

// B023: what the failed sync was to make durable isn't taken for durable, and
// becomes so without anybody writing again.
TEST_P(WalFailureTest, AFailedSyncIsMadeUpForWithoutMoreWrites) {
  script_.FailNext(FileOp::kSync, 1);
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  wal().RequestSync(position, SyncLevel::kData);
  ASSERT_OK(log_.Sync(position));
  EXPECT_TRUE(script_.spent(FileOp::kSync));
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a"));
}

TEST_P(WalFailureTest, AFullSyncIsMadeUpForToo) {
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  ASSERT_OK(log_.Sync(position, SyncLevel::kData));
  script_.FailNext(FileOp::kSync, 1);
  EXPECT_OK(log_.Sync(position, SyncLevel::kFull));
}

// A16.
TEST_P(WalFailureTest, NineHundredNinetyNineFailedSyncsAreNoticedByNobody) {
  constexpr int kThreads = 10;
  constexpr int kEntries = 30;
  script_.FailNext(FileOp::kSync, 999);
  std::atomic<bool> done = false;
  std::thread roller([&] {
    while (!done) EXPECT_OK(log_.Roll());
  });
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < kEntries; ++i) {
        EXPECT_OK(log_.Write(absl::StrCat(t, ":", i)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  roller.join();
  EXPECT_TRUE(script_.spent(FileOp::kSync));
  EXPECT_EQ(wal().health().state, LogHealth::State::kServing);
  const std::vector<std::string> replayed = CrashAndReopen();
  EXPECT_THAT(replayed, SizeIs(kThreads * kEntries));
  EXPECT_EQ(std::set<std::string>(replayed.begin(), replayed.end()).size(),
            replayed.size());
}

// HBASE-17206.
TEST_P(WalFailureTest, ASyncThatFailsInARollLosesNothing) {
  ASSERT_OK(log_.Append(TestEntry("a")));
  script_.FailNext(FileOp::kSync, 1);
  ASSERT_OK(log_.Roll());
  ASSERT_OK(log_.Write("b"));
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b"));
}

// Its header vouches for all before it: recovery takes what is missing there
// for damage.
TEST_P(WalFailureTest, ASegmentStaysEmptyUntilItsPredecessorIsDurable) {
  std::vector<std::string> want;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    for (int i = 0; i < 3; ++i) {
      want.push_back(absl::StrCat(seed, ":", i));
      ASSERT_OK(log_.Append(TestEntry(want.back())));
    }
    const std::string successor = log_.Segments().back();  // Made ahead.
    ASSERT_EQ(log_.ReadBytes(successor), "");
    log_.faulty().faults().Inject({.op = FileOp::kAppend,
                                   .name = successor,
                                   .fault = {.effect = Fault::Effect::kHeld}});
    absl::Notification rolled;
    wal().Roll([&](absl::Status) { rolled.Notify(); });
    log_.faulty().faults().AwaitHeld(1);
    // The header is on its way: whatever was not durable may be lost.
    log_.Crash(seed);
    rolled.WaitForNotification();
    ASSERT_OK(log_.Open());
    EXPECT_EQ(log_.replayed().payloads, want) << "crash " << seed;
  }
}

TEST_P(WalFailureTest, ARollWithoutANewSegmentFailsAndTheLogGoesOn) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Roll());  // Takes the file that was made ahead.
  script_.FailNext(FileOp::kCreate, 100);
  ASSERT_OK(log_.Write("b"));
  EXPECT_OK(log_.Roll());
  ASSERT_OK(log_.Write("c"));
  EXPECT_THAT(log_.Roll(), StatusIs(testing::_, HasSubstr("scripted")));
  ASSERT_OK(log_.Write("d"));
  EXPECT_EQ(wal().health().state, LogHealth::State::kServing);
  script_.FailNext(FileOp::kCreate, 0);
  EXPECT_OK(log_.Roll());
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b", "c", "d"));
}

// B028, B029.
TEST_P(WalFailureTest, OutOfSpaceStallsAndResumesByItself) {
  for (const FileOp op : {FileOp::kAppend, FileOp::kSync}) {
    script_.FailNext(op, 20, FileOutcome::kNoSpace);
    ASSERT_OK_AND_ASSIGN(const LogPosition position,
                         log_.Append(TestEntry("kept")));
    Waiter<absl::Status> synced;
    wal().Sync(position, SyncLevel::kData, synced.callback());
    health_.AwaitNext(LogHealth::State::kStalled);
    health_.AwaitNext(LogHealth::State::kServing);
    EXPECT_OK(synced.Wait());
    EXPECT_TRUE(script_.spent(op));
  }
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(log_.Write("more"));
    if (i == 50) {
      EXPECT_OK(log_.Roll());
    }
  }
  EXPECT_THAT(CrashAndReopen(), SizeIs(102));
}

// Whether or not anybody waits for a sync, the state tells when it is over.
TEST_P(WalFailureTest, AStallEndsWithoutAnybodyWaiting) {
  script_.FailNext(FileOp::kAppend, 3, FileOutcome::kNoSpace);
  ASSERT_OK_AND_ASSIGN(const LogPosition position,
                       log_.Append(TestEntry("kept")));
  wal().RequestSync(position, SyncLevel::kData);
  health_.AwaitNext(LogHealth::State::kStalled);
  health_.AwaitNext(LogHealth::State::kServing);
  EXPECT_THAT(CrashAndReopen(), ElementsAre("kept"));
}

TEST_P(WalFailureTest, WithoutDescriptorsItStallsToo) {
  ASSERT_OK(log_.Write("a"));
  script_.FailNext(FileOp::kCreate, 20, FileOutcome::kNoSpace);
  script_.FailNext(FileOp::kSync, 2);
  ASSERT_OK(log_.Write("b"));
  EXPECT_EQ(wal().health().state, LogHealth::State::kServing);
  EXPECT_THAT(CrashAndReopen(), ElementsAre("a", "b"));
}

TEST_P(WalFailureTest, CloseDoesNotWaitForSpace) {
  ASSERT_OK(log_.Write("a"));
  script_.FailNext(FileOp::kAppend, 1 << 30, FileOutcome::kNoSpace);
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("b")));
  Waiter<absl::Status> synced;
  wal().Sync(position, SyncLevel::kData, synced.callback());
  health_.AwaitNext(LogHealth::State::kStalled);
  EXPECT_THAT(wal().Close(), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(synced.Wait(), StatusIs(absl::StatusCode::kUnknown));
}

TEST_P(WalFailureTest, APoisonedLogRefusesWithTheFirstCause) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("b")));
  Waiter<absl::Status> reserved;
  wal().Reserve(1, absl::InfiniteDuration(), reserved.callback());
  ASSERT_OK(reserved.Wait());
  script_.FailNext(FileOp::kAppend, 1 << 30);
  script_.FailNext(FileOp::kSync, 1 << 30);
  EXPECT_THAT(log_.Sync(position),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("scripted")));
  health_.AwaitNext(LogHealth::State::kPoisoned);
  EXPECT_EQ(wal().health().state, LogHealth::State::kPoisoned);
  EXPECT_THAT(wal().health().cause,
              StatusIs(testing::_, HasSubstr("scripted")));
  EXPECT_GE(wal().health().since, absl::Now() - absl::Minutes(10));

  const auto is_refused =
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("scripted"));
  EXPECT_THAT(wal().Append(TestEntry("x"), 1), is_refused);
  EXPECT_THAT(log_.Append(TestEntry("x")), is_refused);
  EXPECT_THAT(log_.Roll(), is_refused);
  EXPECT_THAT(wal().Close(), StatusIs(testing::_, HasSubstr("scripted")));
  EXPECT_THAT(log_.log.lines(), Contains(HasSubstr("takes no more writes")));

  const std::vector<std::string> replayed = CrashAndReopen();
  ASSERT_THAT(replayed, Contains("a"));
  EXPECT_LE(replayed.size(), 2u);
}

TEST_P(WalFailureTest, AFencedOwnerIsPoisonedAtOnce) {
  ASSERT_OK(log_.Write("a"));
  script_.FailNext(FileOp::kAppend, 1, FileOutcome::kFenced);
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("b")));
  EXPECT_THAT(log_.Sync(position), StatusIs(absl::StatusCode::kUnknown));
  EXPECT_THAT(wal().health().cause, StatusIs(absl::StatusCode::kAborted));
}

TEST_P(WalFailureTest, WhoWaitsForRoomIsToldOfThePoison) {
  log_.Kill();
  log_.options.buffer_bytes = 64 << 10;
  ASSERT_OK(log_.Open());
  script_.FailNext(FileOp::kSync, 1 << 30);
  ASSERT_OK(log_.Append(TestEntry(std::string(60 << 10, 'x'))));
  Waiter<absl::Status> reserved;
  wal().Reserve(60 << 10, absl::InfiniteDuration(), reserved.callback());
  script_.FailNext(FileOp::kCreate, 1 << 30);
  EXPECT_THAT(reserved.Wait(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(WalFailureTest, WithoutCloseWhoWaitsIsToldUnknown) {
  absl::Notification go;
  log_.files().SetHook([&](FileOp op, absl::string_view) {
    if (op == FileOp::kSync) go.WaitForNotification();
    return absl::OkStatus();
  });
  ASSERT_OK_AND_ASSIGN(const LogPosition position, log_.Append(TestEntry("a")));
  Waiter<absl::Status> synced;
  wal().Sync(position, SyncLevel::kData,
             [&go, callback = synced.callback()](absl::Status status) mutable {
               callback(std::move(status));
               go.Notify();  // Only now does the file system come back.
             });
  wal().RemoveListener(&health_);
  log_.Kill();
  EXPECT_THAT(synced.Wait(), StatusIs(absl::StatusCode::kUnknown));
}

}  // namespace
}  // namespace shale
