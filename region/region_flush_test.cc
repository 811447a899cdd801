// What flushes leave behind: in the log, in the directory, and after a failure.
#include <cerrno>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

class RegionFlushTest : public testing::Test {
 protected:
  RegionFlushTest() {
    HostOptions options;
    options.wal.segment_bytes = 64 << 10;
    host_ = std::make_unique<TestHost>(files_, TestHost::Schema(),
                                       RegionOptions{}, options);
    EXPECT_OK(host_->Open());
  }

  int StoreFiles() {
    auto entries = ListFiles(files_, "host/regions/");
    EXPECT_OK(entries);
    int count = 0;
    for (const FileListing::Entry& entry : *entries) {
      count += absl::EndsWith(entry.name, ".store") ? 1 : 0;
    }
    return count;
  }

  void Put(Region& region, absl::string_view row) {
    EXPECT_OK(region.Apply(
        RowMutation(row).Put("f", "q", std::string(1000, 'v'), 1)));
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  std::unique_ptr<TestHost> host_;
};

TEST_F(RegionFlushTest, AnIdleRegionNeverMakesTheTrimmedLogLookDamaged) {
  RegionSchema idle = TestHost::Schema();
  idle.name = "idle";
  ASSERT_OK(host_->host().CreateRegion(idle));
  {
    ASSERT_OK_AND_ASSIGN(const auto region, host_->host().OpenRegion("idle"));
    Put(*region, "a");
    ASSERT_OK(region->Close());
  }
  for (int i = 0; i < 300; ++i) Put(host_->region(), absl::StrCat("row", i));
  ASSERT_OK(host_->region().Flush());
  host_->Reopen();
  ASSERT_OK_AND_ASSIGN(const auto region, host_->host().OpenRegion("idle"));
  EXPECT_FALSE(ReadText(*region, "a").empty());
}

TEST_F(RegionFlushTest, ALostCatalogIsNoNewHost) {
  Put(host_->region(), "a");
  ASSERT_OK(host_->Close());
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    ASSERT_OK(RemoveFile(files_, "host/catalog", lease->token()));
  }
  EXPECT_THAT(host_->Open(), StatusIs(absl::StatusCode::kDataLoss,
                                      testing::HasSubstr("host/catalog")));
  EXPECT_EQ(StoreFiles(), 1);
}

TEST_F(RegionFlushTest, ALostLogIsNoticed) {
  Put(host_->region(), "a");
  ASSERT_OK(host_->region().Flush());
  ASSERT_OK(host_->Close());
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    ASSERT_OK_AND_ASSIGN(const auto segments, ListFiles(files_, "host/wal/"));
    ASSERT_FALSE(segments.empty());
    for (const FileListing::Entry& segment : segments) {
      ASSERT_OK(RemoveFile(files_, segment.name, lease->token()));
    }
  }
  EXPECT_THAT(host_->Open(), StatusIs(absl::StatusCode::kDataLoss,
                                      testing::HasSubstr("no log")));
}

TEST_F(RegionFlushTest, ARegionIsReopenedAndFlushedWithinOneHost) {
  RegionSchema other = TestHost::Schema();
  other.name = "other";
  ASSERT_OK(host_->host().CreateRegion(other));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto region, host_->host().OpenRegion("other"));
    Put(*region, absl::StrCat("row", i));
    ASSERT_OK(region->Flush());
    ASSERT_OK(region->Close());
  }
  ASSERT_OK_AND_ASSIGN(const auto region, host_->host().OpenRegion("other"));
  EXPECT_EQ(region->Stats().families[0].file_cells, 3);
}

TEST_F(RegionFlushTest, AFlushAfterAFailedOneTakesOldAndNewCells) {
  Put(host_->region(), "a");
  FaultRule rule;
  rule.op = FileOp::kFinish;
  rule.name = "*.store";
  files_.faults().Inject(rule);
  EXPECT_FALSE(host_->region().Flush().ok());
  EXPECT_FALSE(ReadText(host_->region(), "a").empty());
  Put(host_->region(), "b");
  ASSERT_OK_AND_ASSIGN(const FlushResult flushed, host_->region().Flush());
  EXPECT_EQ(flushed.cells, 2u);
  EXPECT_EQ(host_->region().Stats().families[0].memstore_cells, 0);
  EXPECT_FALSE(ReadText(host_->region(), "a").empty());
  EXPECT_FALSE(ReadText(host_->region(), "b").empty());
  EXPECT_EQ(StoreFiles(), 2) << "the failed flush left a file";
}

TEST_F(RegionFlushTest, FilesOfAFlushThatFailsLateAreRemoved) {
  ASSERT_OK(host_->region().Apply(
      RowMutation("a").Put("f", "q", "v", 1).Put("g", "q", "v", 1)));
  FaultRule rule;
  rule.op = FileOp::kFinish;
  rule.name = "*.store";
  rule.nth = 2;
  files_.faults().Inject(rule);
  EXPECT_FALSE(host_->region().Flush().ok());
  EXPECT_EQ(StoreFiles(), 0);
  ASSERT_OK(host_->region().Flush());
  EXPECT_EQ(StoreFiles(), 2);
}

TEST_F(RegionFlushTest, AFileThatCantBeOpenedIsRemovedBeforeTheNextTry) {
  Put(host_->region(), "a");
  for (const FileOp op : {FileOp::kOpen, FileOp::kRead}) {
    files_.faults().Inject(
        {.op = op, .name = "*.store", .fault = {.error_number = EIO}});
    EXPECT_FALSE(host_->region().Flush().ok());
    EXPECT_EQ(StoreFiles(), 0) << FileOpName(op);
  }
  ASSERT_OK(host_->region().Flush());
  EXPECT_EQ(StoreFiles(), 1);
  files_.faults().Inject(
      {.op = FileOp::kOpen, .name = "*.store", .fault = {.error_number = EIO}});
  EXPECT_FALSE(host_->region().Compact().ok());
  EXPECT_EQ(StoreFiles(), 1);
  EXPECT_FALSE(ReadText(host_->region(), "a").empty());
}

TEST_F(RegionFlushTest, ReplacedFilesGoWithTheirLastReader) {
  for (const char* row : {"a", "b"}) {
    Put(host_->region(), row);
    ASSERT_OK(host_->region().Flush());
  }
  ASSERT_OK_AND_ASSIGN(auto scanner, host_->region().NewScanner({}));
  ASSERT_OK(host_->region().Compact());
  EXPECT_EQ(StoreFiles(), 3);
  ASSERT_OK(scanner->Next());
  scanner.reset();
  EXPECT_EQ(StoreFiles(), 1);
}

// No file may hold a write that its own log could still lose.
TEST(FlushOrderTest, ManifestWaitsForTheLogToBeSyncedThroughWhatWasFrozen) {
  ManualClock clock;
  ThreadPoolExecutor executor(2, clock);
  MemoryFileSystem memory(executor);
  FaultyFileSystem files(memory, executor);
  RegionOptions options;
  options.write_timeout = absl::Milliseconds(1);
  TestHost host(files, TestHost::Schema(), options, {}, clock);
  ASSERT_OK(host.Open());
  MutationBatch batch;
  batch.durability = Durability::kAsyncWal;
  batch.mutations.push_back(RowMutation("a").Put("f", "q", "v", 1));
  files.faults().Inject({.op = FileOp::kSync,
                         .name = "host/wal/*",
                         .times = FaultRule::kAlways,
                         .fault = {.effect = Fault::Effect::kHeld}});
  ASSERT_OK(host.region().Apply(std::move(batch)).status());
  const uint64_t commits = files.faults().calls(FileOp::kCommitMeta);
  auto flush = std::async(std::launch::async,
                          [&host] { return host.region().Flush().status(); });
  files.faults().AwaitHeld(1);
  while (flush.wait_for(std::chrono::milliseconds(1)) !=
         std::future_status::ready) {
    clock.Advance(options.write_timeout);
  }
  EXPECT_THAT(flush.get(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       testing::HasSubstr("the log is not synced")));
  EXPECT_EQ(files.faults().calls(FileOp::kCommitMeta), commits);
  files.faults().WithdrawAll();
  files.faults().Release();
  ASSERT_OK(host.region().Flush());
  EXPECT_EQ(files.faults().calls(FileOp::kCommitMeta), commits + 1);
  EXPECT_EQ(ReadText(host.region(), "a"), "a/f:q@1=v");
}

}  // namespace
}  // namespace shale
