// A log that was cut or lost after its host was closed is noticed; everything
// else that a crash, a failure or an older build leaves opens as ever.
#include "shale/region/close_record.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"
#include "shale/wal/log_scan.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

class CloseRecordTest : public testing::Test {
 protected:
  CloseRecordTest() { EXPECT_OK(host_.Open()); }

  void Put(absl::string_view row) {
    ASSERT_OK(host_.region().Apply(RowMutation(row).Put("f", "q", "v", 1)));
  }
  // With no more than that from the log: the region stays unflushed.
  void CloseWithoutFlush() {
    files_.faults().Inject({.op = FileOp::kFinish,
                            .name = "*.store",
                            .times = FaultRule::kAlways});
    EXPECT_FALSE(host_.region().Close().ok());
    files_.faults().WithdrawAll();
    host_.Close().IgnoreError();  // The region's, again.
  }

  CloseRecord Record() {
    const absl::StatusOr<CloseRecord> record =
        CloseRecord::Read(files_, "host");
    EXPECT_OK(record);
    return record.value_or(CloseRecord());
  }

  std::map<std::string, std::string> LogFiles() {
    std::map<std::string, std::string> files;
    const auto entries = ListFiles(files_, "host/wal/");
    EXPECT_OK(entries);
    for (const FileListing::Entry& entry : *entries) {
      files[entry.name] = *ReadWholeFile(files_, entry.name);
    }
    return files;
  }
  void ReplaceLogFiles(const std::map<std::string, std::string>& by) {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    for (const auto& [name, bytes] : LogFiles()) {
      ASSERT_OK(RemoveFile(files_, name, lease->token()));
    }
    for (const auto& [name, bytes] : by) {
      ASSERT_OK(WriteWholeFile(files_, name, bytes, lease->token()));
    }
  }
  // Where the records of the newest file begin.
  std::vector<uint64_t> RecordOffsets() {
    const absl::StatusOr<LogScan> scan = LogScan::Open(files_, "host/wal");
    EXPECT_OK(scan);
    std::vector<uint64_t> offsets;
    EXPECT_OK(scan->ForEach([&](const LogRecord&, const RecordPlace& place) {
      if (place.segment == scan->segments().back().name) {
        offsets.push_back(place.offset);
      }
      return absl::OkStatus();
    }));
    return offsets;
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{files_, TestHost::Schema(), RegionOptions{}, HostOptions{}};
};

TEST_F(CloseRecordTest, ALogCutAtAnyRecordSinceIsNoticed) {
  for (const char* row : {"a", "b", "c"}) Put(row);
  ASSERT_NO_FATAL_FAILURE(CloseWithoutFlush());
  const auto whole = LogFiles();
  const std::string newest = whole.rbegin()->first;
  const std::vector<uint64_t> offsets = RecordOffsets();
  ASSERT_GE(offsets.size(), 4u) << "three puts and what Close adds";
  for (const uint64_t offset : offsets) {
    auto cut = whole;
    cut[newest].resize(offset);
    ReplaceLogFiles(cut);
    const absl::Status status = host_.Open();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                                 HasSubstr("closed the host")));
    if (offset != offsets.back()) continue;
    EXPECT_THAT(status.message(),
                HasSubstr(absl::StrCat(newest, ": ends at offset ", offset,
                                       ", at log position ")));
  }
  ReplaceLogFiles(whole);
  ASSERT_OK(host_.Open());
  for (const char* row : {"a", "b", "c"}) {
    EXPECT_FALSE(ReadText(host_.region(), row).empty());
  }
}

TEST_F(CloseRecordTest, AnOlderLogPutBackAndALostOneAreNoticed) {
  Put("a");
  ASSERT_OK(host_.Close());
  const auto older = LogFiles();
  ASSERT_OK(host_.Open());
  ASSERT_OK(host_.Close());
  const auto newer = LogFiles();
  for (const auto& log : {older, {}}) {
    ReplaceLogFiles(log);
    EXPECT_THAT(host_.Open(), StatusIs(absl::StatusCode::kDataLoss,
                                       HasSubstr("closed the host")));
  }
  ReplaceLogFiles(newer);
  EXPECT_OK(host_.Open());
}

TEST_F(CloseRecordTest, ACrashAfterwardsIsNoLoss) {
  Put("a");
  ASSERT_OK(host_.Close());
  const CloseRecord closed = Record();
  // In the recovery, with all kinds of it done, or in service.
  for (uint64_t nth = 1;; ++nth) {
    const auto rule = files_.faults().Inject(
        {.name = "host/wal/*", .nth = nth, .times = FaultRule::kAlways});
    const bool opened = host_.Open().ok();
    memory_.Crash(nth);
    files_.faults().Withdraw(rule);
    host_.Close().IgnoreError();  // Its files are gone.
    EXPECT_EQ(Record(), closed);
    ASSERT_OK(host_.Open()) << nth;
    EXPECT_FALSE(ReadText(host_.region(), "a").empty());
    memory_.Crash(nth);
    host_.Close().IgnoreError();
    if (opened) break;
  }
  ASSERT_OK(host_.Open());
  ASSERT_OK(host_.Close());
  EXPECT_GT(Record().epoch, closed.epoch);
}

TEST_F(CloseRecordTest, ACloseThatFailedIsNotOnRecord) {
  Put("a");
  ASSERT_OK(host_.Close());
  const CloseRecord closed = Record();
  ASSERT_OK(host_.Open());
  Put("b");
  files_.faults().Inject({.name = "host/wal/*", .times = FaultRule::kAlways});
  EXPECT_FALSE(host_.Close().ok());
  files_.faults().WithdrawAll();
  EXPECT_EQ(Record(), closed);
  ASSERT_OK(host_.Open());
  EXPECT_FALSE(ReadText(host_.region(), "a").empty());
}

// Whether it was written or not: it is true.
TEST_F(CloseRecordTest, ARecordThatMayBeThereOrNotIsHarmless) {
  for (const Fault::Effect effect :
       {Fault::Effect::kApplied, Fault::Effect::kNotApplied,
        Fault::Effect::kAppliedLater}) {
    for (const FileOutcome outcome :
         {FileOutcome::kUnknown, FileOutcome::kIoError}) {
      Put("a");
      files_.faults().Inject({.op = FileOp::kCommitMeta,
                              .name = "host/closed",
                              .fault = {.effect = effect, .outcome = outcome}});
      EXPECT_OK(host_.Close());
      EXPECT_THAT(host_.log().lines(),
                  testing::Contains(HasSubstr("go unnoticed")));
      ASSERT_OK(host_.Open());
      // One that comes late finds a later one, or is replaced by it.
      files_.faults().Release();
      EXPECT_FALSE(ReadText(host_.region(), "a").empty());
      ASSERT_OK(host_.Close());
      ASSERT_OK(host_.Open());
    }
  }
}

TEST_F(CloseRecordTest, EveryCloseIsOnRecordAndNoInspectionIs) {
  ASSERT_OK(host_.Close());
  const CloseRecord first = Record();
  ASSERT_OK_AND_ASSIGN(const LogScan log, LogScan::Open(files_, "host/wal"));
  EXPECT_EQ(first.epoch, log.epoch());
  EXPECT_EQ(first.end, log.extent().end);
  HostOptions options;
  options.read_only = true;
  TestHost reader(files_, TestHost::Schema(), RegionOptions{}, options);
  const uint64_t commits = files_.faults().calls(FileOp::kCommitMeta);
  ASSERT_OK(reader.Open());
  ASSERT_OK(reader.Close());
  EXPECT_EQ(files_.faults().calls(FileOp::kCommitMeta), commits);
  ASSERT_OK(host_.Open());
  ASSERT_OK(host_.Close());
  EXPECT_GT(Record().epoch, first.epoch);
  EXPECT_GT(Record().end, first.end);
}

TEST_F(CloseRecordTest, ARecordOfAnEarlierGenerationReplacesNone) {
  ASSERT_OK(host_.Close());
  const CloseRecord closed = Record();
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    const CloseRecord earlier{closed.epoch - 1, LogPosition{~uint64_t{0}}};
    EXPECT_OK(earlier.Write(files_, lease->token(), "host"));
  }
  EXPECT_EQ(Record(), closed);
  EXPECT_OK(host_.Open());
}

// What the manifest of a region that is made or closed says must not depend on
// records that may be lost.
TEST_F(CloseRecordTest, WhatIsNotDurableIsNotMissedAfterACrash) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    for (const bool close : {false, true}) {
      ASSERT_OK(host_.region().Apply(
          RowMutation("a").Put("f", "q", std::string(5000, 'v'), 1),
          Durability::kAsyncWal));
      if (close) {
        ASSERT_OK(host_.region().Close());
      } else {
        RegionSchema other = TestHost::Schema();
        other.name = absl::StrCat("other", seed);
        ASSERT_OK(host_.host().CreateRegion(other));
      }
      memory_.Crash(seed);
      host_.Close().IgnoreError();  // Its files are gone.
      ASSERT_OK(host_.Open()) << seed << " " << close;
    }
  }
}

}  // namespace
}  // namespace shale
