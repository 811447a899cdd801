// A fixed script in which every call of the file system fails once, in each of
// the ways in which one can; then the states that faults which stay lead to.
#include <cerrno>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/sweep.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/mvcc/stuck_write_watchdog.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A host in memory whose calls can be made to fail.
class FaultyHost {
 public:
  explicit FaultyHost(Clock& clock = RealClock())
      : executor_(2, clock),
        memory_(executor_),
        files_(memory_, executor_),
        host_(files_, TestHost::Schema(), {}, Options(), clock) {}

  TestHost& host() { return host_; }
  Region& region() { return host_.region(); }
  FaultyFileSystem& files() { return files_; }
  FaultPlan& faults() { return files_.faults(); }

  // Row `i` with one cell in each family.
  static MutationBatch Row(int i) {
    MutationBatch batch;
    batch.mutations.push_back(RowMutation(absl::StrCat(i))
                                  .Put("f", "q", absl::StrCat("v", i), 1)
                                  .Put("g", "q", absl::StrCat("v", i), 1));
    return batch;
  }
  static std::string RowText(int i) {
    return absl::StrCat(i, "/f:q@1=v", i, " ", i, "/g:q@1=v", i);
  }

  absl::Status Write(int i) { return region().Apply(Row(i)).status(); }

 private:
  static HostOptions Options() {
    HostOptions options;
    options.wal.stall_retry = absl::Milliseconds(1);
    options.wal.syncer_threads = 2;
    return options;
  }

  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
  TestHost host_;
};

void AwaitState(const Region& region, HealthState state) {
  while (region.Health().state != state) std::this_thread::yield();
}

struct FaultCase {
  const char* name;
  Fault fault;
};
const FaultCase kFaultCases[] = {
    {"NoSpace", {.error_number = ENOSPC}},
    {"NoSpaceOfWhatWasDone",
     {.effect = Fault::Effect::kApplied, .error_number = ENOSPC}},
    {"IoError", {.error_number = EIO}},
    {"IoErrorOfWhatWasDone",
     {.effect = Fault::Effect::kApplied, .error_number = EIO}},
    {"ShortAppend", {.effect = Fault::Effect::kShort, .error_number = EIO}},
    {"TornAppend", {.effect = Fault::Effect::kTorn, .error_number = EIO}},
    {"UnknownOfWhatWasNot", {.outcome = FileOutcome::kUnknown}},
    {"UnknownOfWhatWasDone",
     {.effect = Fault::Effect::kApplied, .outcome = FileOutcome::kUnknown}},
    {"UnknownOfWhatIsDoneLater",
     {.effect = Fault::Effect::kAppliedLater,
      .outcome = FileOutcome::kUnknown}},
    {"Unavailable", {.outcome = FileOutcome::kUnavailable}},
};

// The script, told of one fault, and what is left of it afterwards.
class FaultScript {
 public:
  explicit FaultScript(const FaultRule& rule) {
    test_.faults().Inject(rule);
    Run();
    calls_ = test_.faults().calls();
  }

  uint64_t calls() const { return calls_; }

  // The fault is over; the region is opened again, after a crash or not, and
  // has what it must.
  void CheckReopened(bool crash) {
    if (crash) {
      test_.files().Crash(calls_);
    } else {
      test_.faults().WithdrawAll();
      test_.faults().Release();
    }
    test_.host().Close().IgnoreError();  // It may not have been closed.
    ASSERT_OK(test_.host().Open());
    CheckRows(/*reopened=*/true);
    ASSERT_OK(test_.Write(kWrites));
    ASSERT_OK(test_.host().Close());
  }

  std::string log() { return test_.faults().ToString(); }

 private:
  static constexpr int kWrites = 8;

  void Run() {
    if (!test_.host().Open().ok()) return;
    for (int i = 0; i < kWrites; ++i) {
      Write(i);
      if (i % 3 == 2) Maintain([](Region& r) { return r.Flush().status(); });
      if (i == 6) Maintain([](Region& r) { return r.Compact().status(); });
    }
    test_.region().Verify({}).IgnoreError();  // May fail, and no more.
    CheckRows(/*reopened=*/false);
    ExpectNothingUnfinished();
    test_.host().Close().IgnoreError();
  }

  void Write(int i) {
    writes_.push_back(test_.Write(i));
    CheckStatus(i, writes_.back());
    if (i % 2 == 0) return;
    const UpdateResult counted =
        test_.region().Increment(Increment("count").Add("f", "q", 1));
    if (counted.status.ok()) {
      EXPECT_EQ(Text(counted.row, false), CountText(++counted_));
    } else if (absl::IsUnknown(counted.status)) {
      ++maybe_counted_;
      ExpectPoisoned();
    }  // Else it read in vain, or was refused, and counted nothing.
  }

  void CheckStatus(int i, const absl::Status& status) {
    if (status.ok()) return;
    EXPECT_TRUE(absl::IsUnknown(status) || absl::IsFailedPrecondition(status))
        << "write " << i << ": " << status;
    ExpectPoisoned();
  }

  static std::string CountText(int count) {
    if (count == 0) return "";
    return absl::StrCat("count/f:q=", std::string(7, '\0'),
                        std::string(1, static_cast<char>(count)));
  }

  void ExpectPoisoned() {
    const RegionHealth health = test_.region().Health();
    EXPECT_EQ(health.state, HealthState::kPoisoned);
    EXPECT_FALSE(health.cause.ok());
  }

  // Unless the log is dead, which leaves what it never confirmed.
  void ExpectNothingUnfinished() {
    // It is visible after all that `narrow` answered before that.
    if (!test_.Write(kWrites).ok()) return ExpectPoisoned();
    const RegionStats stats = test_.region().Stats();
    EXPECT_EQ(stats.read_point, stats.write_point);
  }

  // A flush or compaction that fails can be repeated, unless that poisoned.
  template <typename Job>
  void Maintain(Job job) {
    if (job(test_.region()).ok() || job(test_.region()).ok()) return;
    ExpectPoisoned();
  }

  // Rows are whole or absent; those of acknowledged writes are there, those of
  // refused ones are not.
  void CheckRows(bool reopened) {
    CheckCount(reopened);
    for (size_t i = 0; i < writes_.size(); ++i) {
      const int row = static_cast<int>(i);
      const absl::StatusOr<RowResult> read =
          test_.region().Read({absl::StrCat(row), {}});
      if (!read.ok() && !reopened) continue;
      ASSERT_OK(read);
      const std::string text = Text(*read);
      if (writes_[i].ok()) {
        EXPECT_EQ(text, FaultyHost::RowText(row)) << "row " << i;
      } else if (!text.empty()) {
        EXPECT_TRUE(reopened) << "an unacknowledged write is visible: " << text;
        EXPECT_TRUE(absl::IsUnknown(writes_[i])) << writes_[i];
        EXPECT_EQ(text, FaultyHost::RowText(row)) << "row " << i;
      }
    }
  }

  // Whatever fails, a counter has what was acknowledged, and no more than was
  // tried.
  void CheckCount(bool reopened) {
    const absl::StatusOr<RowResult> read = test_.region().Read({"count", {}});
    if (!read.ok() && !reopened) return;
    ASSERT_OK(read);
    std::vector<std::string> possible = {CountText(counted_)};
    for (int more = 1; reopened && more <= maybe_counted_; ++more) {
      possible.push_back(CountText(counted_ + more));
    }
    EXPECT_THAT(Text(*read, false), testing::AnyOfArray(possible));
  }

  FaultyHost test_;
  std::vector<absl::Status> writes_;
  int counted_ = 0;
  int maybe_counted_ = 0;
  uint64_t calls_ = 0;
};

class RegionFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(RegionFaultTest, NothingAcknowledgedIsLostWhicheverCallFails) {
  for (const bool crash : {false, true}) {
    // The first call takes the lease; done later, that lease is nobody's.
    const bool later = GetParam().fault.effect == Fault::Effect::kAppliedLater;
    const Sweep sweep = SweepFrom(later ? 2 : 1);
    for (uint64_t nth = sweep.first;; nth += sweep.stride) {
      FaultScript script({.nth = nth, .fault = GetParam().fault});
      if (script.calls() < nth) break;  // No call was left to fail.
      script.CheckReopened(crash);
      if (HasFailure()) {
        FAIL() << "call " << nth << (crash ? ", then a crash\n" : "\n")
               << script.log();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, RegionFaultTest,
                         testing::ValuesIn(kFaultCases), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(RegionHealthTest, FullDiskStallsWritesAndTheyResumeByThemselves) {
  FaultyHost test;
  ASSERT_OK(test.host().Open());
  ASSERT_OK(test.Write(0));
  const FaultRuleId full =
      test.faults().Inject({.name = "host/wal/*",
                            .times = FaultRule::kAlways,
                            .fault = {.error_number = ENOSPC}});
  absl::Notification done;
  ApplyResult result;
  test.region().ApplyAsync(FaultyHost::Row(1), [&](ApplyResult r) {
    result = std::move(r);
    done.Notify();
  });
  AwaitState(test.region(), HealthState::kStalled);
  EXPECT_THAT(test.region().Health().cause.message(),
              AllOf(HasSubstr("host/wal/"), HasSubstr("No space")));
  EXPECT_FALSE(done.HasBeenNotified());
  EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
  EXPECT_EQ(ReadText(test.region(), "1"), "");

  test.faults().Withdraw(full);
  done.WaitForNotification();
  EXPECT_OK(result.status());
  AwaitState(test.region(), HealthState::kServing);
  EXPECT_OK(test.region().Health().cause);
  ASSERT_OK(test.Write(2));
  ASSERT_OK(test.region().Flush().status());
  test.files().Crash(1);
  test.host().Close().IgnoreError();  // Its files are gone.
  ASSERT_OK(test.host().Open());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ReadText(test.region(), absl::StrCat(i)), FaultyHost::RowText(i));
  }
}

TEST(RegionHealthTest, DeadLogPoisonsTheRegionAndReadsGoOn) {
  FaultyHost test;
  ASSERT_OK(test.host().Open());
  ASSERT_OK(test.Write(0));
  test.faults().Inject({.name = "host/wal/*",
                        .times = FaultRule::kAlways,
                        .fault = {.error_number = EIO}});
  EXPECT_THAT(test.Write(1), StatusIs(absl::StatusCode::kUnknown,
                                      HasSubstr("never confirmed")));
  AwaitState(test.region(), HealthState::kPoisoned);
  const RegionHealth health = test.region().Health();
  EXPECT_THAT(health.cause.message(),
              AllOf(HasSubstr("host/wal/"), HasSubstr("Input/output error")));
  const std::string cause(health.cause.message());
  EXPECT_THAT(test.Write(2), StatusIs(absl::StatusCode::kFailedPrecondition,
                                      HasSubstr(cause)));
  EXPECT_THAT(
      test.region().Flush(),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(cause)));
  EXPECT_THAT(
      test.region().Compact(),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(cause)));
  EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
  EXPECT_EQ(ReadText(test.region(), "1"), "");

  test.faults().WithdrawAll();
  EXPECT_THAT(test.Write(3), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(test.host().Close(), testing::Not(IsOk()));
  ASSERT_OK(test.host().Open());
  EXPECT_EQ(test.region().Health().state, HealthState::kServing);
  EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
  EXPECT_EQ(ReadText(test.region(), "2"), "");
  EXPECT_EQ(ReadText(test.region(), "3"), "");
  EXPECT_OK(test.Write(4));
}

// HBASE-24311, HBASE-24167: a region hung and said nothing.
TEST(RegionHealthTest, WriteThatAHungDeviceHoldsUpIsNamedInTheLog) {
  ManualClock clock;
  FaultyHost test(clock);
  ASSERT_OK(test.host().Open());
  test.faults().Inject({.name = "host/wal/*",
                        .times = FaultRule::kAlways,
                        .fault = {.effect = Fault::Effect::kHeld}});
  absl::Notification done;
  MutationBatch batch = FaultyHost::Row(1);
  batch.timeout = 2 * StuckWriteWatchdog::kDefaultAge;
  test.region().ApplyAsync(std::move(batch), [&](ApplyResult result) {
    EXPECT_OK(result.status());
    done.Notify();
  });
  test.faults().AwaitHeld(1);
  clock.Advance(StuckWriteWatchdog::kDefaultAge);
  while (test.host().log().lines().empty()) std::this_thread::yield();
  EXPECT_THAT(test.host().log().lines()[0],
              AllOf(HasSubstr("warning mvcc: r: write #"),
                    HasSubstr("30s old: inserted, waits for the log")));
  test.faults().WithdrawAll();
  test.faults().Release();
  done.WaitForNotification();
}

TEST(RegionHealthTest, FailedSyncOfAStoreFileFailsTheFlushAndKeepsTheLog) {
  FaultyHost test;
  ASSERT_OK(test.host().Open());
  ASSERT_OK(test.Write(0));
  for (const FileOp op : {FileOp::kAppend, FileOp::kFinish}) {
    test.faults().Inject({.op = op,
                          .name = "host/regions/*.store",
                          .fault = {.error_number = EIO}});
    EXPECT_THAT(test.region().Flush(), testing::Not(IsOk()));
    EXPECT_EQ(test.region().Stats().families[0].files, 0);
  }
  EXPECT_EQ(test.region().Health().state, HealthState::kServing);
  EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
  test.files().Crash(1);
  test.host().Close().IgnoreError();  // Its files are gone.
  ASSERT_OK(test.host().Open());
  EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
}

TEST(RegionHealthTest, FlushGivesTheReserveAwayForLackOfSpaceAlone) {
  FaultyHost test;
  ASSERT_OK(test.host().Open());
  ASSERT_OK(test.Write(0));
  const auto reserve = [&test] {
    const auto files = ListFiles(test.files(), "host/reserve/");
    EXPECT_OK(files);
    EXPECT_EQ(files->size(), 1u);
    return files->front().name;
  };
  const std::string first = reserve();
  const auto fail_next_create = [&test](int error) {
    test.faults().Inject({.op = FileOp::kCreate,
                          .name = "host/regions/*.store",
                          .fault = {.error_number = error}});
  };
  fail_next_create(EMFILE);
  EXPECT_THAT(test.region().Flush(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("Too many open files")));
  EXPECT_EQ(reserve(), first);
  fail_next_create(ENOSPC);
  EXPECT_OK(test.region().Flush());
  EXPECT_NE(reserve(), first) << "given away, and set aside again";
}

// An fsync without space after the rename: the manifest is there all the same.
TEST(RegionHealthTest, NoFileOfAManifestThatMayBeCommittedIsRemoved) {
  for (const int error : {ENOSPC, EDQUOT}) {
    FaultyHost test;
    ASSERT_OK(test.host().Open());
    const auto fail_next_commit = [&] {
      test.faults().Inject({.op = FileOp::kCommitMeta,
                            .name = "host/regions/*",
                            .fault = {.effect = Fault::Effect::kApplied,
                                      .error_number = error}});
    };
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(test.Write(i));
      fail_next_commit();
      EXPECT_OK(test.region().Flush());
    }
    fail_next_commit();
    EXPECT_OK(test.region().Compact());
    EXPECT_EQ(test.region().Health().state, HealthState::kServing);
    ASSERT_OK(test.Write(2));
    EXPECT_OK(test.region().Flush());
    for (const bool crash : {true, false}) {
      if (crash) {
        test.files().Crash(1);
        test.host().Close().IgnoreError();  // Its files are gone.
      } else {
        ASSERT_OK(test.host().Close());
      }
      ASSERT_OK(test.host().Open());
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(ReadText(test.region(), absl::StrCat(i)),
                  FaultyHost::RowText(i));
      }
    }
  }
}

// The compaction's output may be in the manifest, and so may its inputs.
TEST(RegionHealthTest, CompactionWhoseOutcomeStaysUnknownRemovesNothing) {
  for (const Fault::Effect effect :
       {Fault::Effect::kNotApplied, Fault::Effect::kApplied,
        Fault::Effect::kAppliedLater}) {
    FaultyHost test;
    ASSERT_OK(test.host().Open());
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(test.Write(i));
      ASSERT_OK(test.region().Flush());
    }
    const auto unknown = [&](FileOp op, Fault::Effect its_effect) {
      test.faults().Inject(
          {.op = op,
           .times = FaultRule::kAlways,
           .fault = {.effect = its_effect, .outcome = FileOutcome::kUnknown}});
    };
    unknown(FileOp::kCommitMeta, effect);
    unknown(FileOp::kReadMeta, Fault::Effect::kNotApplied);
    const uint64_t removed = test.faults().calls(FileOp::kRemove);
    EXPECT_THAT(test.region().Compact(), StatusIs(absl::StatusCode::kUnknown));
    EXPECT_EQ(test.region().Health().state, HealthState::kPoisoned);
    EXPECT_EQ(test.faults().calls(FileOp::kRemove), removed);
    test.faults().WithdrawAll();
    test.faults().Release();
    test.host().Close().IgnoreError();  // Poisoned.
    ASSERT_OK(test.host().Open());
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(ReadText(test.region(), absl::StrCat(i)),
                FaultyHost::RowText(i));
    }
    ASSERT_OK(test.region().Compact());
  }
}

TEST(RegionHealthTest, CommitWhoseOutcomeStaysUnknownPoisonsAndRemovesNothing) {
  for (const Fault::Effect effect :
       {Fault::Effect::kNotApplied, Fault::Effect::kApplied}) {
    FaultyHost test;
    ASSERT_OK(test.host().Open());
    ASSERT_OK(test.Write(0));
    for (const FileOp op : {FileOp::kCommitMeta, FileOp::kReadMeta}) {
      test.faults().Inject(
          {.op = op,
           .times = FaultRule::kAlways,
           .fault = {.effect = effect, .outcome = FileOutcome::kUnknown}});
    }
    EXPECT_THAT(test.region().Flush(), StatusIs(absl::StatusCode::kUnknown));
    EXPECT_EQ(test.region().Health().state, HealthState::kPoisoned);
    EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
    EXPECT_THAT(test.Write(1), StatusIs(absl::StatusCode::kFailedPrecondition));
    test.faults().WithdrawAll();
    test.host().Close().IgnoreError();  // Poisoned.
    ASSERT_OK(test.host().Open());
    EXPECT_EQ(ReadText(test.region(), "0"), FaultyHost::RowText(0));
    EXPECT_EQ(ReadText(test.region(), "1"), "");
  }
}

}  // namespace
}  // namespace shale
