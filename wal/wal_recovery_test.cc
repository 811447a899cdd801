// Opening a log again, by every engine.
#include <algorithm>
#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/wal/log_recovery.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/read_wal.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class WalRecoveryTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalRecoveryTest() { EXPECT_OK(log_.Open()); }

  LogHarness log_{*GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Engines, WalRecoveryTest,
                         testing::ValuesIn(AllVariants()), VariantName);

TEST_P(WalRecoveryTest, WhatIsNotNeededIsDroppedForGood) {
  ASSERT_OK(log_.Append(TestEntry("a", /*region=*/1)));
  ASSERT_OK(log_.Append(TestEntry("b", /*region=*/2)));
  ASSERT_OK(log_.Append(TestEntry("c", /*region=*/1)));
  ASSERT_OK(log_.Close());
  CollectingSink sink;
  sink.needs = [](const LogRecord& record) {
    return record.entry.region == TestRegion(1);
  };
  ASSERT_OK(log_.Open(sink));
  EXPECT_THAT(sink.payloads, ElementsAre("a", "c"));
  EXPECT_EQ(log_.report().records_read, 3);
  EXPECT_EQ(log_.report().records_replayed, 2);
  EXPECT_EQ(log_.wal().OldestNeeded(TestRegion(2)), log_.wal().appended());
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a", "c"));
}

TEST_P(WalRecoveryTest, ARegionThatIsNotOpenedKeepsPinningItsEntries) {
  ASSERT_OK(log_.Append(TestEntry("a", /*region=*/1)));
  ASSERT_OK(log_.Append(TestEntry("b", /*region=*/2)));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(log_.Close());
    ASSERT_OK(log_.Open());
    ASSERT_THAT(log_.replayed().positions, SizeIs(2));
    // Needed from where its entry begins: where the one before it ends.
    EXPECT_EQ(log_.wal().OldestNeeded(TestRegion(2)),
              log_.replayed().positions[0]);
    ASSERT_OK(log_.Roll());
    log_.wal().ForgetRegion(TestRegion(1));
    EXPECT_THAT(log_.replayed().payloads, ElementsAre("a", "b"));
  }
}

TEST_P(WalRecoveryTest, OnlyFilesOfTheNewGenerationAreLeft) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Roll());
  ASSERT_OK(log_.Write("b"));
  const std::vector<std::string> old = log_.Segments();
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  for (const std::string& name : log_.Segments()) {
    EXPECT_EQ(std::count(old.begin(), old.end(), name), 0) << name;
  }
  EXPECT_EQ(log_.report().segments_read, 2);
  EXPECT_GT(log_.report().bytes_read, 0);
}

TEST_P(WalRecoveryTest, EverythingReplayedIsDurableAgainOnReturn) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  EXPECT_EQ(log_.wal().durable(), log_.wal().appended());
  log_.Crash(/*seed=*/7);
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a"));
}

TEST_P(WalRecoveryTest, AKilledOwnersEntriesAreReplayed) {
  ASSERT_OK(log_.Write("synced"));
  ASSERT_OK(log_.Append(TestEntry("appended")));
  log_.Kill();
  ASSERT_OK(log_.Open());
  EXPECT_GE(log_.replayed().payloads.size(), 1u);
  EXPECT_EQ(log_.replayed().payloads[0], "synced");
}

TEST_P(WalRecoveryTest, ANewGenerationBeginsBehindEveryPositionGivenOut) {
  ASSERT_OK_AND_ASSIGN(const LogPosition last, log_.Append(TestEntry("lost")));
  log_.Crash(/*seed=*/1);
  ASSERT_OK(log_.Open());
  EXPECT_GT(log_.wal().durable(), last);
  EXPECT_GT(kGenerationGap, (uint64_t{1} << 30) + kMaxRecordBytes)
      << "the largest buffer, and a record let in beside it";
}

TEST_P(WalRecoveryTest, TheReportSaysWhichPartOfTheLogWasThere) {
  ASSERT_OK(log_.Write("a"));
  const LogPosition end = log_.wal().appended();
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  const LogExtent& extent = log_.report().extent;
  EXPECT_EQ(extent.generation_start, kLogStart);
  EXPECT_EQ(extent.first, kLogStart);
  EXPECT_GT(extent.end, end) << "the covering record of Close";
  EXPECT_EQ(extent.epoch, log_.report().epoch_read);
  EXPECT_THAT(
      extent.DescribeEnd(),
      AllOf(HasSubstr("host/wal/"),
            HasSubstr(absl::StrCat("log position ", extent.end.value))));
}

TEST_P(WalRecoveryTest, ATokenOpensALogOnce) {
  ASSERT_OK(log_.Close());
  ASSERT_OK_AND_ASSIGN(const auto lease,
                       AcquireLease(log_.files(), "host", "test"));
  OwnerToken stale = lease->token();
  stale.epoch = 1;
  CollectingSink sink;
  EXPECT_THAT(log_.OpenWith(stale, sink),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("epoch 1"), HasSubstr("not older"))));
}

TEST_P(WalRecoveryTest, AnOptionOutOfItsRangeIsNamed) {
  ASSERT_OK(log_.Close());
  const WalOptions good = log_.options;
  const auto expect_refused = [&](const std::string& name) {
    EXPECT_THAT(log_.Open(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(name)));
    log_.options = good;
  };
  log_.options.segment_bytes = 1000;
  expect_refused("segment_bytes");
  log_.options.max_segments = 0;
  expect_refused("max_segments");
  log_.options.buffer_bytes = int64_t{2} << 30;
  expect_refused("buffer_bytes");
  log_.options.syncer_threads = 0;
  expect_refused("syncer_threads");
  log_.options.sync_timeout = absl::ZeroDuration();
  expect_refused("sync_timeout");
  log_.options.stall_retry = -absl::Seconds(1);
  expect_refused("stall_retry");
}

TEST_P(WalRecoveryTest, ALogLargerThanTheBufferIsCarriedOver) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(log_.Append(TestEntry(std::string(10 << 10, 'x'))));
  }
  ASSERT_OK(log_.Close());
  log_.options.buffer_bytes = 64 << 10;
  log_.options.segment_bytes = 64 << 10;
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, SizeIs(100));
  EXPECT_GT(log_.Segments().size(), 10u);
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, SizeIs(100));
}

TEST_P(WalRecoveryTest, AnErrorOfReplayEndsRecoveryAndLosesNothing) {  // B016.
  std::vector<std::string> written;
  for (int i = 0; i < 10; ++i) {
    written.push_back(absl::StrCat("entry ", i));
    ASSERT_OK(log_.Write(written.back()));
  }
  ASSERT_OK(log_.Close());
  const auto before = log_.Snapshot();
  for (int k = 0; k < 10; ++k) {
    CollectingSink sink;
    sink.replay = [&](const LogRecord&) {
      return sink.payloads.size() < static_cast<size_t>(k)
                 ? absl::OkStatus()
                 : absl::DataLossError("memstore says no");
    };
    EXPECT_THAT(log_.Open(sink), StatusIs(absl::StatusCode::kDataLoss,
                                          HasSubstr("memstore says no")));
    EXPECT_EQ(log_.Snapshot(), before) << k;
  }
  ASSERT_OK(log_.Open());
  EXPECT_EQ(log_.replayed().payloads, written);
}

// What is left of a generation that was given up must not look like a damaged
// log, wherever the cleaning up ends.
TEST_P(WalRecoveryTest, ARecoveryKilledWhileItGivesUpLosesNothing) {
  log_.options.segment_bytes = 64 << 10;
  log_.options.buffer_bytes = 64 << 10;
  std::vector<std::string> written;
  for (int i = 0; i < 60; ++i) {
    written.push_back(absl::StrCat(i, ":", std::string(4 << 10, 'x')));
    ASSERT_OK(log_.Append(TestEntry(written.back())));
  }
  ASSERT_OK(log_.Close());
  int removals = 0;
  for (int stop = 0; stop <= removals; ++stop) {
    for (const bool killed : {false, true}) {
      removals = 0;
      log_.files().SetHook([&](FileOp op, absl::string_view name) {
        if (op != FileOp::kRemove) return absl::OkStatus();
        const int nth = removals++;
        return nth == stop || (killed && nth > stop)
                   ? FileError(FileOutcome::kIoError, "remove", name, "EIO")
                   : absl::OkStatus();
      });
      CollectingSink sink;
      sink.replay = [&](const LogRecord&) {
        return sink.payloads.size() + 1 < written.size()
                   ? absl::OkStatus()
                   : absl::DataLossError("memstore says no");
      };
      EXPECT_THAT(log_.Open(sink), StatusIs(absl::StatusCode::kDataLoss,
                                            HasSubstr("memstore says no")));
      log_.files().SetHook(nullptr);
      ASSERT_OK(log_.Open()) << stop << " " << killed;
      EXPECT_EQ(log_.replayed().payloads, written);
      ASSERT_OK(log_.Close());
    }
  }
}

// All of it is carried over and durable, but for the marker that says so.
TEST_P(WalRecoveryTest, AGenerationWithoutItsMarkerIsIgnored) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Write("b"));
  ASSERT_OK(log_.Close());
  ASSERT_OK_AND_ASSIGN(const LogScan source,
                       LogScan::Open(log_.files(), LogHarness::kDirectory));
  std::atomic<bool> synced = false;
  log_.files().SetHook([&](FileOp op, absl::string_view name) {
    if (op == FileOp::kSync) synced = true;
    return op == FileOp::kRemove || (op == FileOp::kAppend && synced)
               ? FileError(FileOutcome::kIoError, "write", name, "EIO")
               : absl::OkStatus();
  });
  EXPECT_FALSE(log_.Open().ok());
  log_.files().SetHook(nullptr);
  ASSERT_OK_AND_ASSIGN(const LogScan scan,
                       LogScan::Open(log_.files(), LogHarness::kDirectory));
  EXPECT_EQ(scan.epoch(), source.epoch());
  EXPECT_EQ(scan.extent().end, source.extent().end);
  ASSERT_FALSE(scan.ignored_files().empty());
  EXPECT_THAT(log_.ReadBytes(scan.ignored_files().front()),
              AllOf(HasSubstr("a"), HasSubstr("b")));
  ASSERT_OK(log_.Open());
  EXPECT_EQ(log_.report().epoch_read, source.epoch());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a", "b"));
}

TEST_P(WalRecoveryTest, AFailedWriteEndsRecoveryAndLosesNothing) {  // B011.
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Close());
  const auto before = log_.Snapshot();
  log_.files().SetHook([](FileOp op, absl::string_view name) {
    return op == FileOp::kAppend
               ? FileError(FileOutcome::kIoError, "append", name, "EIO")
               : absl::OkStatus();
  });
  EXPECT_THAT(log_.Open(), StatusIs(testing::_, HasSubstr("EIO")));
  EXPECT_EQ(log_.Snapshot(), before);
  log_.files().SetHook(nullptr);
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a"));
}

TEST_P(WalRecoveryTest, RecoveryDoesNotWaitForSpace) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Close());
  log_.files().SetHook([](FileOp op, absl::string_view name) {
    return op == FileOp::kSync
               ? FileError(FileOutcome::kNoSpace, "sync", name, "disk full")
               : absl::OkStatus();
  });
  EXPECT_THAT(log_.Open(), StatusIs(absl::StatusCode::kResourceExhausted,
                                    HasSubstr("disk full")));
  log_.files().SetHook(nullptr);
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a"));
}

TEST_P(WalRecoveryTest, AFailedRemovalLeavesAFileThatTheNextOneRemoves) {
  ASSERT_OK(log_.Write("a"));
  const std::string old = log_.Segments().front();
  ASSERT_OK(log_.Close());
  log_.files().SetHook([](FileOp op, absl::string_view name) {
    return op == FileOp::kRemove
               ? FileError(FileOutcome::kIoError, "remove", name, "EIO")
               : absl::OkStatus();
  });
  ASSERT_OK(log_.Open());
  EXPECT_EQ(log_.Segments().front(), old);
  log_.files().SetHook(nullptr);
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.report().ignored_files, ElementsAre(old));
  EXPECT_NE(log_.Segments().front(), old);
  EXPECT_THAT(log_.replayed().payloads, ElementsAre("a"));
}

TEST_P(WalRecoveryTest, AReaderSeesTheSameBesideTheOwner) {
  ASSERT_OK(log_.Write("a"));
  ASSERT_OK(log_.Write("b"));
  const auto before = log_.Snapshot();
  CollectingSink sink;
  RecoveryReport report;
  ASSERT_OK(ReadWal(log_.files(), LogHarness::kDirectory, sink, &report));
  EXPECT_THAT(sink.payloads, ElementsAre("a", "b"));
  EXPECT_EQ(sink.positions.back(), log_.wal().appended());
  EXPECT_EQ(report.records_replayed, 2);
  EXPECT_EQ(log_.Snapshot(), before);
}

TEST_P(WalRecoveryTest, AnEmptyDirectoryReadsAsAnEmptyLog) {
  CollectingSink sink;
  RecoveryReport report;
  ASSERT_OK(ReadWal(log_.files(), "nowhere", sink, &report));
  EXPECT_THAT(sink.payloads, IsEmpty());
  EXPECT_EQ(report.epoch_read, 0u);
}

// B019: what was appended first is there if what was appended later is, also if
// a new segment lies between them.
TEST_P(WalRecoveryTest, ALaterSyncedEntryImpliesTheEarlierOnes) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ASSERT_OK(log_.Append(TestEntry(absl::StrCat("a", seed))));
    ASSERT_OK(log_.Roll());
    ASSERT_OK(log_.Write(absl::StrCat("b", seed)));
    log_.Crash(seed);
    ASSERT_OK(log_.Open());
    const auto& replayed = log_.replayed().payloads;
    ASSERT_GE(replayed.size(), 2u);
    EXPECT_EQ(replayed[replayed.size() - 2], absl::StrCat("a", seed));
    EXPECT_EQ(replayed.back(), absl::StrCat("b", seed));
  }
}

}  // namespace
}  // namespace shale
