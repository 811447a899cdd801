// Which segments stay while regions write and flush, by every engine.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr uint64_t kAll = ~uint64_t{0};

// Counts the segments that it hears of. Thread-safe.
class SegmentListener final : public LogListener {
 public:
  explicit SegmentListener(Wal& wal) : wal_(wal) { wal.AddListener(this); }
  ~SegmentListener() override { wal_.RemoveListener(this); }

  void OnDurable(LogPosition) override {}
  void OnHealth(const LogHealth&) override {}
  void OnNewSegment() override {
    absl::MutexLock lock(&mu_);
    ++segments_;
  }
  void AwaitSegments(int count) {
    absl::MutexLock lock(&mu_);
    const auto heard = [&] { return segments_ >= count; };
    mu_.Await(absl::Condition(&heard));
  }

 private:
  Wal& wal_;
  absl::Mutex mu_;  // A leaf.
  int segments_ = 0;
};

class WalFlushTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalFlushTest() { EXPECT_OK(log_.Open()); }
  ~WalFlushTest() override { EXPECT_OK(log_.Close()); }

  Wal& wal() { return log_.wal(); }
  void WriteAndRoll(int region, uint64_t families = 1) {
    ASSERT_OK(log_.Append(
        TestEntry(absl::StrCat("region ", region), region, families)));
    ASSERT_OK(log_.Roll());
  }
  void Flush(int region, uint64_t families = kAll) {
    wal().StartFlush(TestRegion(region), families);
    wal().FinishFlush(TestRegion(region), families);
  }
  // Segments go in the background, once a record that says so is durable.
  void AwaitRemovalOf(const std::string& name) {
    while (log_.Segments().front() <= name) ASSERT_OK(log_.Write("more"));
  }

  LogHarness log_{*GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Engines, WalFlushTest,
                         testing::ValuesIn(AllVariants()), VariantName);

TEST_P(WalFlushTest, ASegmentGoesWhenItsOnlyRegionHasFlushed) {
  const std::string first = log_.Segments().front();
  WriteAndRoll(1);
  EXPECT_THAT(log_.Segments(), Contains(first));
  Flush(1);
  AwaitRemovalOf(first);
}

TEST_P(WalFlushTest, ASegmentStaysForTheLastRegionThatNeedsIt) {
  const std::string first = log_.Segments().front();
  ASSERT_OK(log_.Append(TestEntry("other", /*region=*/2)));
  WriteAndRoll(1);
  WriteAndRoll(1);
  Flush(1);
  ASSERT_OK(log_.Write("more"));
  EXPECT_EQ(log_.Segments().front(), first);
  wal().ForgetRegion(TestRegion(2));
  AwaitRemovalOf(first);
}

TEST_P(WalFlushTest, AFlushUnderWayKeepsItsSegments) {
  const std::string first = log_.Segments().front();
  WriteAndRoll(1);
  const LogPosition frozen = wal().StartFlush(TestRegion(1), kAll);
  EXPECT_EQ(frozen, wal().appended());
  EXPECT_LT(wal().OldestNeeded(TestRegion(1)), frozen);
  WriteAndRoll(1);
  EXPECT_EQ(log_.Segments().front(), first);
  wal().FinishFlush(TestRegion(1), kAll);
  AwaitRemovalOf(first);
  EXPECT_EQ(wal().OldestNeeded(TestRegion(1)), frozen);
}

TEST_P(WalFlushTest, AFamilyNotFlushedKeepsItsSegments) {
  const std::string first = log_.Segments().front();
  WriteAndRoll(1, /*families=*/0b11);
  WriteAndRoll(1, /*families=*/0b01);
  Flush(1, 0b01);
  ASSERT_OK(log_.Write("more"));
  EXPECT_EQ(log_.Segments().front(), first);
  Flush(1, 0b10);
  AwaitRemovalOf(first);
}

TEST_P(WalFlushTest, WithNothingUnflushedTheOldestNeededIsTheEnd) {
  EXPECT_EQ(wal().OldestNeeded(TestRegion(1)), wal().appended());
  ASSERT_OK(log_.Write("a"));
  EXPECT_LT(wal().OldestNeeded(TestRegion(1)), wal().appended());
  Flush(1);
  EXPECT_EQ(wal().OldestNeeded(TestRegion(1)), wal().appended());
}

// A15.
TEST_P(WalFlushTest, ARegionThatPinsTheOldestSegmentsMustFlush) {
  EXPECT_OK(log_.Close());
  log_.options.max_segments = 1;
  EXPECT_OK(log_.Open());
  EXPECT_FALSE(wal().MustFlush(TestRegion(1)));
  WriteAndRoll(1);
  WriteAndRoll(1);
  ASSERT_OK(log_.Write("so that the newest segment counts"));
  EXPECT_TRUE(wal().MustFlush(TestRegion(1)));
  ASSERT_OK(log_.Append(TestEntry("a", /*region=*/2)));
  EXPECT_FALSE(wal().MustFlush(TestRegion(2)));
  wal().StartFlush(TestRegion(1), kAll);
  EXPECT_FALSE(wal().MustFlush(TestRegion(1))) << "it is at it";
}

TEST_P(WalFlushTest, EachNewSegmentIsToldOnceItCounts) {
  SegmentListener listener(wal());
  for (int i = 1; i <= 3; ++i) {
    WriteAndRoll(1);
    ASSERT_OK(log_.Write("so that the newest segment counts"));
    listener.AwaitSegments(i);
  }
}

// A17: the append is still on its way to the file when its region closes.
TEST_P(WalFlushTest, ALateWriteDoesNotBringAClosedRegionBack) {
  absl::Notification held;
  absl::Notification go;
  log_.files().SetHook([&](FileOp op, absl::string_view) {
    if (op == FileOp::kAppend && !held.HasBeenNotified()) {
      held.Notify();
      go.WaitForNotification();
    }
    return absl::OkStatus();
  });
  ASSERT_OK_AND_ASSIGN(const LogPosition late,
                       log_.Append(TestEntry("late", /*region=*/3)));
  wal().RequestSync(late, SyncLevel::kData);
  held.WaitForNotification();
  wal().ForgetRegion(TestRegion(3));
  go.Notify();
  ASSERT_OK(log_.Sync(late));
  EXPECT_EQ(wal().OldestNeeded(TestRegion(3)), wal().appended());
  log_.files().SetHook(nullptr);
}

// B010: a flushed segment that comes back changes nothing.
TEST_P(WalFlushTest, ARemovedSegmentThatComesBackIsIgnored) {
  const std::string first = log_.Segments().front();
  WriteAndRoll(1);
  WriteAndRoll(2);
  const std::string bytes = log_.ReadBytes(first);
  Flush(1);
  AwaitRemovalOf(first);
  log_.Kill();
  log_.WriteBytes(first, bytes);
  ASSERT_OK(log_.Open());
  EXPECT_THAT(log_.replayed().payloads, Not(Contains("region 1")));
  EXPECT_THAT(log_.replayed().payloads, Contains("region 2"));
  EXPECT_THAT(log_.report().ignored_files, Contains(first));
  EXPECT_THAT(log_.Segments(), Not(Contains(first)));
}

TEST_P(WalFlushTest, TheLogKnowsThatItWasTrimmed) {
  const std::string first = log_.Segments().front();
  WriteAndRoll(1);
  WriteAndRoll(2);
  const LogPosition needed = wal().OldestNeeded(TestRegion(1));
  Flush(1);
  AwaitRemovalOf(first);
  ASSERT_OK(log_.Close());
  ASSERT_OK(log_.Open());
  EXPECT_GT(log_.report().extent.first, needed);
}

TEST_P(WalFlushTest, SegmentsGoOldestFirst) {
  std::vector<std::string> removed;
  absl::Mutex mu;
  log_.files().SetHook([&](FileOp op, absl::string_view name) {
    absl::MutexLock lock(&mu);
    if (op == FileOp::kRemove) removed.emplace_back(name);
    return absl::OkStatus();
  });
  for (int i = 0; i < 5; ++i) WriteAndRoll(i % 2);
  const std::string fifth = log_.Segments()[4];
  Flush(0);
  Flush(1);
  AwaitRemovalOf(fifth);
  absl::MutexLock lock(&mu);
  EXPECT_THAT(removed, SizeIs(5));
  EXPECT_TRUE(std::is_sorted(removed.begin(), removed.end()));
  log_.files().SetHook(nullptr);
}

TEST_P(WalFlushTest, ASegmentThatCannotBeRemovedIsTriedAgain) {
  const std::string first = log_.Segments().front();
  std::atomic<int> failures = 0;
  log_.files().SetHook([&](FileOp op, absl::string_view name) {
    if (op != FileOp::kRemove || failures++ > 0) return absl::OkStatus();
    return FileError(FileOutcome::kIoError, "remove", name, "EIO");
  });
  WriteAndRoll(1);
  Flush(1);
  while (failures == 0) ASSERT_OK(log_.Write("more"));
  EXPECT_EQ(log_.Segments().front(), first);
  WriteAndRoll(1);
  Flush(1);
  AwaitRemovalOf(first);
  EXPECT_THAT(log_.log.lines(), Contains(testing::HasSubstr("stays")));
  log_.files().SetHook(nullptr);
}

TEST_P(WalFlushTest, WhatIsFlushedIsNotNeededAfterACrashEither) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    WriteAndRoll(1);
    WriteAndRoll(2);
    Flush(1);
    ASSERT_OK(log_.Write("more"));
    log_.Crash(seed);
    ASSERT_OK(log_.Open());
    EXPECT_THAT(log_.replayed().payloads, Contains("region 2"));
    log_.wal().ForgetRegion(TestRegion(1));
    log_.wal().ForgetRegion(TestRegion(2));
  }
}

}  // namespace
}  // namespace shale
