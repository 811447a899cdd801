#include "shale/filesystem/testing/faulty_file_system.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/completion.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Effect = Fault::Effect;

class FaultyFileSystemTest : public testing::Test {
 protected:
  FaultyFileSystemTest() { Acquire(); }

  void Acquire() {
    auto lease = AcquireLease(files_, "dir", "the test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
  }

  std::unique_ptr<AppendFile> Create(absl::string_view name) {
    auto file = CreateFile(files_, name, FileKind::kLog, lease_->token());
    EXPECT_OK(file);
    return *std::move(file);
  }

  absl::StatusOr<MetaVersion> Commit(std::string bytes, MetaVersion expected) {
    return CommitMeta(files_, "dir/m", std::move(bytes), expected,
                      lease_->token());
  }

  std::string Meta() {
    const auto meta = ReadMeta(memory_, "dir/m");
    return meta.ok() ? meta->bytes : "none";
  }

  FaultPlan& faults() { return files_.faults(); }

  ThreadPoolExecutor executor_{4, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  std::unique_ptr<Lease> lease_;
};

TEST_F(FaultyFileSystemTest, TheNthCallOfAKindFails) {
  faults().Inject({.op = FileOp::kSync,
                   .name = "dir/a*",
                   .nth = 3,
                   .fault = {.error_number = EIO}});
  const auto a = Create("dir/a1");
  const auto b = Create("dir/b1");
  for (int i = 0; i < 2; ++i) EXPECT_OK(a->SyncNow(SyncMode::kData));
  for (int i = 0; i < 9; ++i) EXPECT_OK(b->SyncNow(SyncMode::kData));
  const absl::Status failed = a->SyncNow(SyncMode::kData);
  EXPECT_EQ(OutcomeOf(failed), FileOutcome::kIoError);
  EXPECT_EQ(ErrnoOf(failed), EIO);
  EXPECT_THAT(failed.message(), HasSubstr("sync dir/a1"));
  EXPECT_EQ(a->AppendNow("x").status(), failed);
  EXPECT_OK(Create("dir/a2")->SyncNow(SyncMode::kData));
}

TEST_F(FaultyFileSystemTest, ManyCallsInARowFail) {
  faults().Inject({.op = FileOp::kCreate,
                   .nth = 2,
                   .times = 2,
                   .fault = {.outcome = FileOutcome::kNoSpace}});
  std::vector<FileOutcome> outcomes;
  for (int i = 0; i < 5; ++i) {
    outcomes.push_back(OutcomeOf(CreateFile(files_, absl::StrCat("dir/", i),
                                            FileKind::kLog, lease_->token())
                                     .status()));
  }
  EXPECT_THAT(outcomes, ElementsAre(FileOutcome::kOk, FileOutcome::kNoSpace,
                                    FileOutcome::kNoSpace, FileOutcome::kOk,
                                    FileOutcome::kOk));
}

TEST_F(FaultyFileSystemTest, RulesCanBeSwitchedAndWithdrawn) {
  const FaultRuleId rule =
      faults().Inject({.op = FileOp::kReadMeta,
                       .times = FaultRule::kAlways,
                       .fault = {.outcome = FileOutcome::kUnavailable}});
  ASSERT_OK(Commit("x", {}));
  EXPECT_THAT(ReadMeta(files_, "dir/m"),
              StatusIs(absl::StatusCode::kUnavailable));
  faults().Switch(rule, false);
  EXPECT_OK(ReadMeta(files_, "dir/m"));
  faults().Switch(rule, true);
  EXPECT_THAT(ReadMeta(files_, "dir/m"),
              StatusIs(absl::StatusCode::kUnavailable));
  faults().Withdraw(rule);
  EXPECT_OK(ReadMeta(files_, "dir/m"));
}

TEST_F(FaultyFileSystemTest, PlanKnowsWhatARulePicked) {
  const FaultRuleId rule =
      faults().Inject({.op = FileOp::kReadMeta, .nth = 2, .times = 2});
  for (const uint64_t picked : {0, 1, 2, 2}) {
    ReadMeta(files_, "dir/m").status().IgnoreError();
    EXPECT_EQ(faults().picked(rule), picked);
  }
  faults().Withdraw(rule);
  EXPECT_EQ(faults().picked(rule), 0);
}

TEST_F(FaultyFileSystemTest, PlanTellsSyncsWithMetadataFromOthers) {
  const auto file = Create("dir/a");
  ASSERT_OK(file->SyncNow(SyncMode::kFull));
  ASSERT_OK(file->SyncNow(SyncMode::kData));
  Waiter<absl::Status> synced;
  file->Sync(SyncMode::kFull, synced.callback());
  EXPECT_OK(synced.Wait());
  EXPECT_EQ(faults().calls(FileOp::kSync), 3);
  EXPECT_EQ(faults().full_syncs(), 2);
}

TEST_F(FaultyFileSystemTest, EveryKindOfCallCanFail) {
  ASSERT_OK(WriteWholeFile(files_, "dir/a", "bytes", lease_->token()));
  ASSERT_OK_AND_ASSIGN(const auto reader, OpenFile(files_, "dir/a"));
  const auto writer = Create("dir/log");
  faults().Inject({.times = FaultRule::kAlways,
                   .fault = {.outcome = FileOutcome::kUnavailable}});
  const uint64_t before = faults().calls();
  const auto fails = StatusIs(absl::StatusCode::kUnavailable);
  const OwnerToken& token = lease_->token();
  EXPECT_THAT(CreateFile(files_, "dir/b", FileKind::kLog, token), fails);
  EXPECT_THAT(OpenFile(files_, "dir/a"), fails);
  EXPECT_THAT(RemoveFile(files_, "dir/a", token), fails);
  EXPECT_THAT(CloneFile(files_, "dir/a", "dir/b", token), fails);
  EXPECT_THAT(ListFiles(files_, ""), fails);
  EXPECT_THAT(ReadMeta(files_, "dir/m"), fails);
  EXPECT_THAT(Commit("x", {}), fails);
  EXPECT_THAT(AcquireLease(files_, "other", "x"), fails);
  EXPECT_THAT(SealFile(files_, "dir/a", token), fails);
  EXPECT_THAT(reader->ReadNow({0, 1}), fails);
  Waiter<absl::StatusOr<std::string>> read;
  reader->Read({0, 1}, read.callback());
  EXPECT_THAT(read.Wait(), fails);
  EXPECT_THAT(FinishFile(*writer), fails);
  EXPECT_EQ(faults().calls() - before, 12);
  EXPECT_EQ(faults().calls(FileOp::kRead), 2);
  faults().WithdrawAll();
  EXPECT_THAT(ReadWholeFile(files_, "dir/a"), IsOkAndHolds("bytes"));
}

TEST_F(FaultyFileSystemTest, PlanPrintsRulesAndCalls) {
  faults().Inject(
      {.op = FileOp::kAppend,
       .name = "dir/log",
       .fault = {.effect = Effect::kShort, .error_number = ENOSPC}});
  const auto file = Create("dir/log");
  EXPECT_FALSE(file->AppendNow("0123456789").ok());
  EXPECT_EQ(faults().ToString(),
            "append of dir/log, calls 1 to 1: No space left on device, short\n"
            "#1 acquire dir\n"
            "#2 create dir/log\n"
            "#3 append dir/log, 10 bytes: No space left on device, short\n");
}

TEST_F(FaultyFileSystemTest, AnUnknownCommitIsAppliedOrNotOrLater) {
  const auto unknown = [this](Effect effect) {
    faults().Inject(
        {.op = FileOp::kCommitMeta,
         .fault = {.effect = effect, .outcome = FileOutcome::kUnknown}});
  };
  const auto is_unknown = StatusIs(absl::StatusCode::kUnknown);
  unknown(Effect::kNotApplied);
  EXPECT_THAT(Commit("one", {}), is_unknown);
  EXPECT_EQ(Meta(), "none");
  unknown(Effect::kApplied);
  EXPECT_THAT(Commit("two", {}), is_unknown);
  EXPECT_EQ(Meta(), "two");
  unknown(Effect::kAppliedLater);
  EXPECT_THAT(Commit("three", {1}), is_unknown);
  EXPECT_EQ(Meta(), "two");
  // Whoever finds the old version commits again; the late one makes that a
  // conflict.
  faults().Release();
  EXPECT_EQ(Meta(), "three");
  EXPECT_THAT(Commit("four", {1}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(FaultyFileSystemTest, AShortAppendLeavesAPrefix) {
  const std::string bytes(1000, 'x');
  std::set<uint64_t> sizes;
  for (int i = 0; i < 20; ++i) {
    faults().Inject({.op = FileOp::kAppend, .fault = {Effect::kShort}});
    const std::string name = absl::StrCat("dir/", i);
    const auto file = Create(name);
    EXPECT_FALSE(file->AppendNow(bytes).ok());
    EXPECT_EQ(file->accepted(), 0);
    ASSERT_OK_AND_ASSIGN(const std::string left, ReadWholeFile(memory_, name));
    EXPECT_EQ(left, bytes.substr(0, left.size()));
    sizes.insert(left.size());
  }
  EXPECT_GT(sizes.size(), 10);
}

TEST_F(FaultyFileSystemTest, ATornAppendLeavesSomeSectors) {
  const std::string bytes(4096, 'x');
  faults().Inject({.op = FileOp::kAppend, .fault = {Effect::kTorn}});
  const auto file = Create("dir/log");
  Waiter<absl::StatusOr<uint64_t>> appended;
  file->Append(bytes, appended.callback());
  EXPECT_FALSE(appended.Wait().ok());
  ASSERT_OK_AND_ASSIGN(const std::string left,
                       ReadWholeFile(memory_, "dir/log"));
  ASSERT_EQ(left.size(), bytes.size());
  const int64_t kept = std::count(left.begin(), left.end(), 'x');
  EXPECT_EQ(kept % 512, 0);
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 4096);
}

TEST_F(FaultyFileSystemTest, AFailedAppendPoisonsInOrder) {
  faults().Inject({.op = FileOp::kAppend, .nth = 3});
  const auto file = Create("dir/log");
  std::vector<bool> ended;
  for (int i = 0; i < 5; ++i) {
    file->Append("x", [&](absl::StatusOr<uint64_t> size) {
      ended.push_back(size.ok());
    });
  }
  Waiter<absl::Status> synced;
  file->Sync(SyncMode::kData, synced.callback());
  EXPECT_EQ(OutcomeOf(synced.Wait()), FileOutcome::kIoError);
  EXPECT_THAT(ended, ElementsAre(true, true, false, false, false));
  EXPECT_EQ(file->accepted(), 2);
  EXPECT_EQ(file->durable(), 0);
  EXPECT_EQ(faults().calls(FileOp::kSync), 0);  // It never came so far.
}

TEST_F(FaultyFileSystemTest, AHeldSyncKeepsBackOnlyCallbacks) {
  faults().Inject({.op = FileOp::kSync, .fault = {Effect::kHeld}});
  const auto file = Create("dir/log");
  ASSERT_OK(file->AppendNow("abc"));
  Waiter<absl::Status> first, second;
  file->Sync(SyncMode::kData, first.callback());
  file->Sync(SyncMode::kData, second.callback());
  EXPECT_OK(file->AppendNow("def"));
  EXPECT_OK(file->SyncNow(SyncMode::kData));
  EXPECT_EQ(first.WaitUntil(RealClock(), absl::ZeroDuration()), std::nullopt);
  faults().Release();
  EXPECT_OK(first.Wait());
  EXPECT_OK(second.Wait());
}

TEST_F(FaultyFileSystemTest, AHeldAppendKeepsBackLaterCalls) {
  faults().Inject(
      {.op = FileOp::kAppend, .nth = 2, .times = 2, .fault = {Effect::kHeld}});
  const auto file = Create("dir/log");
  for (const char* bytes : {"a", "b", "c", "d"}) {
    file->Append(bytes, [](absl::StatusOr<uint64_t> size) { EXPECT_OK(size); });
  }
  Waiter<absl::Status> synced;
  file->Sync(SyncMode::kData, synced.callback());
  faults().AwaitHeld(1);
  faults().Release();  // The third comes to be held.
  faults().AwaitHeld(1);
  EXPECT_EQ(faults().calls(FileOp::kSync), 0);
  faults().Release();
  EXPECT_OK(synced.Wait());
  EXPECT_EQ(file->durable(), 4);
  EXPECT_THAT(ReadWholeFile(memory_, "dir/log"), IsOkAndHolds("abcd"));
}

TEST_F(FaultyFileSystemTest, AHeldCallOfTheFileSystemHappensOnRelease) {
  faults().Inject({.op = FileOp::kReadMeta, .fault = {Effect::kHeld}});
  Waiter<absl::StatusOr<MetaObject>> read;
  files_.ReadMeta("dir/m", read.callback());
  faults().AwaitHeld(1);
  ASSERT_OK(Commit("x", MetaVersion{}));
  faults().Release();
  ASSERT_OK_AND_ASSIGN(const MetaObject meta, read.Wait());
  EXPECT_EQ(meta.bytes, "x");
}

TEST_F(FaultyFileSystemTest, ReleaseBetweenDecisionAndHoldLetsTheCallGo) {
  faults().Inject({.fault = {Effect::kHeld}});
  const FaultPlan::Decision decision =
      faults().Decide(FileOp::kReadMeta, "dir/m");
  faults().Release();
  bool went = false;
  faults().Hold(decision, this, [&] { went = true; });
  EXPECT_TRUE(went);
}

TEST_F(FaultyFileSystemTest, AHeldCallThatWaitsReturnsOnRelease) {
  faults().Inject({.op = FileOp::kSync, .fault = {Effect::kHeld}});
  const auto file = Create("dir/log");
  std::thread syncer([&] { EXPECT_OK(file->SyncNow(SyncMode::kData)); });
  faults().AwaitHeld(1);
  faults().Release();
  syncer.join();
}

TEST_F(FaultyFileSystemTest, DestructorLetsGoOnWhatIsHeld) {
  faults().Inject(
      {.times = FaultRule::kAlways, .fault = {.effect = Effect::kHeld}});
  int called = 0;
  {
    faults().WithdrawAll();
    auto file = Create("dir/log");
    faults().Inject(
        {.times = FaultRule::kAlways, .fault = {.effect = Effect::kHeld}});
    file->Append("x", [&](absl::StatusOr<uint64_t> size) {
      EXPECT_OK(size);
      ++called;
    });
    file->Append("y", [&](absl::StatusOr<uint64_t> size) {
      EXPECT_OK(size);
      ++called;
    });
    file->Finish([&](absl::Status status) {
      EXPECT_OK(status);
      ++called;
    });
  }
  EXPECT_EQ(called, 3);
}

TEST_F(FaultyFileSystemTest, ASealDecidesAnAppendWithUnknownOutcome) {
  for (const Effect effect :
       {Effect::kNotApplied, Effect::kApplied, Effect::kAppliedLater}) {
    faults().Inject(
        {.op = FileOp::kAppend,
         .nth = 2,
         .fault = {.effect = effect, .outcome = FileOutcome::kUnknown}});
    const std::string name = absl::StrCat("dir/", static_cast<int>(effect));
    const auto file = Create(name);
    ASSERT_OK(file->AppendNow("sure"));
    EXPECT_THAT(file->AppendNow("perhaps"),
                StatusIs(absl::StatusCode::kUnknown));
    ASSERT_OK_AND_ASSIGN(const uint64_t sealed,
                         SealFile(files_, name, lease_->token()));
    EXPECT_EQ(sealed, effect == Effect::kApplied ? 11 : 4);
    faults().Release();  // Too late.
    ASSERT_OK_AND_ASSIGN(const std::string left, ReadWholeFile(memory_, name));
    EXPECT_EQ(left.size(), sealed);
    faults().WithdrawAll();
  }
}

TEST_F(FaultyFileSystemTest, CrashEndsRulesAndHandles) {
  const auto file = Create("dir/log");
  ASSERT_OK(file->AppendNow("synced"));
  ASSERT_OK(file->SyncNow(SyncMode::kData));
  faults().Inject({.times = FaultRule::kAlways});
  EXPECT_FALSE(Commit("x", {}).ok());
  files_.Crash(7);
  EXPECT_FALSE(lease_->held());
  EXPECT_EQ(OutcomeOf(file->AppendNow("x").status()), FileOutcome::kFenced);
  EXPECT_THAT(Commit("x", {}), StatusIs(absl::StatusCode::kAborted));
  Acquire();
  EXPECT_THAT(ReadWholeFile(files_, "dir/log"), IsOkAndHolds("synced"));
}

TEST_F(FaultyFileSystemTest, WhatWasToBeAppliedLaterMayBeLeftByACrash) {
  std::set<std::string> left;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const std::string name = absl::StrCat("dir/m", seed);
    faults().Inject({.op = FileOp::kCommitMeta,
                     .fault = {.effect = Effect::kAppliedLater,
                               .outcome = FileOutcome::kUnknown}});
    EXPECT_FALSE(CommitMeta(files_, name, "x", {}, lease_->token()).ok());
    files_.Crash(seed);
    Acquire();
    const auto meta = ReadMeta(files_, name);
    left.insert(meta.ok() ? meta->bytes : "none");
  }
  EXPECT_THAT(left, ElementsAre("none", "x"));
}

// Any order of tasks, any failing call, a crash at any moment: what was
// acknowledged as synced is there afterwards, in order and unbroken.
TEST(FaultyFileSystemModelTest, AcknowledgedBytesSurviveFaultsAndCrashes) {
  Random random(TestSeed());
  for (int round = 0; round < 1000; ++round) {
    ManualClock clock;
    DeterministicExecutor executor(clock, random.Next());
    MemoryFileSystem memory(executor);
    FaultyFileSystem files(memory, executor, random.Next());
    std::unique_ptr<Lease> lease;
    std::unique_ptr<AppendFile> file;
    files.Acquire("dir", "me", 0,
                  [&](auto result) { lease = *std::move(result); });
    executor.RunUntilIdle();
    files.Create("dir/log", FileKind::kLog, lease->token(), {},
                 [&](auto result) { file = *std::move(result); });
    executor.RunUntilIdle();
    files.faults().Inject({.nth = 1 + random.Uniform(40),
                           .fault = {static_cast<Effect>(random.Uniform(6)),
                                     random.OneIn(2) ? FileOutcome::kUnknown
                                                     : FileOutcome::kIoError}});
    std::vector<std::string> records;
    for (int i = 0; i < 20; ++i) {
      records.push_back(std::string(1 + random.Skewed(13), 'a' + i));
    }
    std::string all, acknowledged;
    for (const std::string& record : records) {
      all += record;
      file->Append(record, [](absl::StatusOr<uint64_t>) {});
      file->Sync(SyncMode::kData, [&, size = all.size()](absl::Status status) {
        if (status.ok()) acknowledged = all.substr(0, size);
      });
      while (random.OneIn(2) && executor.RunOne()) {
      }
      if (random.OneIn(20)) files.faults().Release();
    }
    files.Crash(random.Next());
    executor.RunUntilIdle();
    file.reset();
    std::optional<std::string> left;
    files.Open("dir/log", {}, [&](auto result) {
      if (result.ok()) left = (*result)->ReadNow({0, SIZE_MAX}).value();
    });
    executor.RunUntilIdle();
    EXPECT_EQ(left.value_or("").substr(0, acknowledged.size()), acknowledged)
        << files.faults().ToString();
  }
}

}  // namespace
}  // namespace shale
