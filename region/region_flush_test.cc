// What flushes leave behind: in the log, in the directory, and after a failure;
// and what files keep of what went into them.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/sweep.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/write_number.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/catalog.h"
#include "shale/region/manifest_codec.h"
#include "shale/region/manifest_store.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"
#include "shale/wal/log_scan.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RegionFlushTest : public testing::Test {
 protected:
  RegionFlushTest() {
    host_ = std::make_unique<TestHost>(files_, TestHost::Schema(),
                                       RegionOptions{}, Options());
    EXPECT_OK(host_->Open());
  }

  static HostOptions Options() {
    HostOptions options;
    options.wal.segment_bytes = 64 << 10;
    return options;
  }

  // As the manifest of the region on disk says.
  LogPosition FirstNeeded(absl::string_view region) {
    const absl::StatusOr<Catalog> catalog = Catalog::Open(files_, "host");
    EXPECT_OK(catalog);
    const absl::StatusOr<MetaObject> object = ReadMeta(
        files_, absl::StrCat("host/regions/",
                             catalog->Find(region)->incarnation.ToString(),
                             "/manifest"));
    EXPECT_OK(object);
    return DecodeManifest(*object)->first_needed;
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

  void Crash(uint64_t seed = 1) {
    files_.Crash(seed);
    host_->Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_->Open());
  }

  // As if it had never seen a write. REQUIRES: a store file beside it.
  void MakeManifestForgetNumbers() {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    ASSERT_OK_AND_ASSIGN(const auto files, ListFiles(files_, "host/regions/"));
    ASSERT_FALSE(files.empty());
    const std::string& name = files[0].name;
    ASSERT_OK_AND_ASSIGN(
        const auto manifest,
        ManifestStore::Open(
            files_, lease->token(), RealClock(),
            absl::StrCat(name.substr(0, name.rfind('/')), "/manifest")));
    ASSERT_OK(manifest->Update(
        [](Manifest& changed) { changed.high_water = kNoWriteNumber; }));
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
  const LogPosition needed = FirstNeeded("idle");
  for (int i = 0; i < 300; ++i) Put(host_->region(), absl::StrCat("row", i));
  ASSERT_OK(host_->region().Flush());
  Put(host_->region(), "last");
  ASSERT_OK(host_->Close());
  ASSERT_OK_AND_ASSIGN(const LogScan scan, LogScan::Open(files_, "host/wal"));
  ASSERT_GT(scan.extent().first, needed) << "what it names has been trimmed";
  ASSERT_GT(needed, scan.extent().generation_start);
  ASSERT_OK(host_->Open());
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
  EXPECT_THAT(host_->Open(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("host/catalog")));
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
  EXPECT_THAT(host_->Open(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no log")));
}

// Its last segment, after a crash; no clean close says how far it went.
TEST_F(RegionFlushTest, ALogThatEndsBeforeWhatWasFlushedIsNoticed) {
  // So that the segments before it stay.
  RegionSchema unflushed = TestHost::Schema();
  unflushed.name = "unflushed";
  ASSERT_OK(host_->host().CreateRegion(unflushed));
  ASSERT_OK_AND_ASSIGN(auto pin, host_->host().OpenRegion("unflushed"));
  Put(*pin, "a");
  for (int i = 0; i < 300; ++i) Put(host_->region(), absl::StrCat("row", i));
  ASSERT_OK(host_->region().Flush());
  const LogPosition needed = FirstNeeded("r");
  memory_.Crash(1);
  pin.reset();
  host_->Close().IgnoreError();  // Its files are gone.
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(files_, "host", "the test"));
    ASSERT_OK_AND_ASSIGN(const LogScan log, LogScan::Open(files_, "host/wal"));
    ASSERT_GT(needed, log.segments().back().header.first);
    ASSERT_OK(RemoveFile(files_, log.segments().back().name, lease->token()));
  }
  ASSERT_OK_AND_ASSIGN(const LogScan cut, LogScan::Open(files_, "host/wal"));
  ASSERT_GT(cut.epoch(), 0u);
  EXPECT_THAT(
      host_->Open(),
      StatusIs(
          absl::StatusCode::kDataLoss,
          AllOf(HasSubstr(cut.segments().back().name), HasSubstr("region r"),
                HasSubstr(absl::StrCat("position ", needed.value)))));
}

TEST_F(RegionFlushTest, ARegionWhoseFlushFailedUnpinsTheLogByItself) {
  ASSERT_OK(host_->Close());
  ManualClock clock;
  TestHost host(files_, TestHost::Schema(), RegionOptions{}, Options(), clock);
  ASSERT_OK(host.Open());
  ASSERT_OK_AND_ASSIGN(const auto before, ListFiles(files_, "host/wal/"));
  for (int i = 0; i < 100; ++i) Put(host.region(), absl::StrCat("row", i));
  files_.faults().Inject({.op = FileOp::kFinish, .name = "*.store"});
  EXPECT_FALSE(host.region().Flush().ok());
  EXPECT_GT(host.region().Stats().families[0].memstore_cells, 0);
  while (host.region().Stats().families[0].memstore_cells > 0) {
    clock.Advance(absl::Milliseconds(100));
    std::this_thread::yield();
  }
  // The record of that has to become durable first.
  for (bool gone = false; !gone;) {
    Put(host.region(), "more");
    ASSERT_OK_AND_ASSIGN(const auto after, ListFiles(files_, "host/wal/"));
    gone = after.front().name > before.front().name;
  }
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

// Its families are in files of their own; whichever call of the flush is the
// first of which nothing comes.
TEST_F(RegionFlushTest, ARowThatSkippedTheLogIsNeverTorn) {
  const auto write = [&](const std::string& value) {
    MutationBatch batch;
    batch.durability = Durability::kSkipWal;
    batch.mutations.push_back(
        RowMutation("r").Put("f", "q", value).Put("g", "q", value));
    ASSERT_OK(host_->region().Apply(std::move(batch)).status());
  };
  int lost = 0, kept = 0;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const Sweep sweep = SweepFrom(1);
    bool reached = true;
    for (uint64_t nth = sweep.first; reached; nth += sweep.stride) {
      SCOPED_TRACE(absl::StrCat("call ", nth, ", crash ", seed));
      write("old");
      ASSERT_OK(host_->region().Flush());
      write("new");
      const FaultRuleId rule =
          files_.faults().Inject({.nth = nth, .times = FaultRule::kAlways});
      const bool flushed = host_->region().Flush().ok();
      reached = files_.faults().picked(rule) > 0;
      Crash(seed);
      const std::string row = ReadText(host_->region(), "r", {}, false);
      if (row == "r/f:q=old r/g:q=old") {
        EXPECT_FALSE(flushed);
        ++lost;
      } else {
        EXPECT_EQ(row, "r/f:q=new r/g:q=new");
        ++kept;
      }
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_GT(kept, 0);
}

// HBASE-16721: what a region had not flushed was counted in a race with its
// flushes, and the log was never let go.
TEST_F(RegionFlushTest, AFlushDuringWritesLetsTheLogGo) {
  constexpr int kWriters = 3;
  std::atomic<int> writing = kWriters;
  std::vector<std::thread> threads;
  for (int t = 0; t < kWriters; ++t) {
    threads.emplace_back([&, t] {
      // Of one family, of the other, and of both.
      for (int i = 0; i < 150; ++i) {
        RowMutation mutation(absl::StrCat(t));
        const std::string value(500, 'v');
        if (t != 1) mutation.Put("f", "q", value);
        if (t != 0) mutation.Put("g", "q", value);
        ASSERT_OK(host_->region().Apply(std::move(mutation)));
      }
      --writing;
    });
  }
  do {
    ASSERT_OK(host_->region().Flush());
  } while (writing > 0);
  for (std::thread& thread : threads) thread.join();
  ASSERT_OK(host_->region().Flush());
  // The segment that the log goes on in and the next one, made ahead: all that
  // is left once the others are removed.
  for (size_t left = 3; left > 2;) {
    ASSERT_OK_AND_ASSIGN(const auto segments, ListFiles(files_, "host/wal/"));
    left = segments.size();
    std::this_thread::yield();
  }
}

TEST_F(RegionFlushTest, CellsKeepTheirNumbersThroughFlushAndCompaction) {
  std::vector<WriteNumber> want;
  for (int i = 0; i < 4; ++i) {
    MutationBatch batch;
    batch.mutations.push_back(
        RowMutation(absl::StrCat(i)).Put("f", "q", "v", 9 - i));
    const ApplyResult result = host_->region().Apply(std::move(batch));
    ASSERT_OK(result.status());
    want.push_back(result.range.first);
    if (i % 2 == 1) {
      ASSERT_OK(host_->region().Flush());
    }
  }
  const auto numbers = [&] {
    std::vector<WriteNumber> found;
    for (int i = 0; i < 4; ++i) {
      const auto row = host_->region().Read({absl::StrCat(i), {}});
      EXPECT_OK(row);
      for (const Cell& cell : row->cells) found.push_back(cell.number);
    }
    return found;
  };
  EXPECT_EQ(numbers(), want);
  ASSERT_OK_AND_ASSIGN(const auto compacted, host_->region().Compact());
  EXPECT_EQ(compacted.output_files, 1);
  EXPECT_EQ(numbers(), want);
  host_->Reopen();
  EXPECT_EQ(numbers(), want);
}

// Whatever becomes of a write: flushed, replayed, or lost as it skipped the log
// or its level allows it.
TEST_F(RegionFlushTest, ANumberIsNeverUsedTwice) {
  Random random(TestSeed());
  const Durability levels[] = {Durability::kSkipWal, Durability::kAsyncWal,
                               Durability::kSyncWal};
  WriteNumber last = kNoWriteNumber;
  for (int life = 0; life < 40; ++life) {
    for (uint64_t i = random.Uniform(4); i > 0; --i) {
      MutationBatch batch;
      batch.durability = levels[random.Uniform(3)];
      batch.mutations.push_back(
          RowMutation("r").Put("f", "q", "v").Put("g", "q", "v"));
      const ApplyResult result = host_->region().Apply(std::move(batch));
      ASSERT_OK(result.status());
      ASSERT_GT(result.range.first, last) << "life " << life;
      last = result.range.last;
      if (random.OneIn(4)) {
        ASSERT_OK(host_->region().Flush());
      }
    }
    switch (random.Uniform(4)) {
      case 0:
        host_->Reopen();
        break;
      case 1:
        host_->ReopenRegion();
        break;
      default:
        Crash();
    }
  }
}

// The manifest runs ahead of them, but they must not rely on it.
TEST_F(RegionFlushTest, NumbersGoOnAboveThoseOfTheLog) {
  for (const bool flushed : {true, false}) {
    WriteNumber last;
    for (int i = 0; i < 3; ++i) {
      MutationBatch batch;
      batch.mutations.push_back(RowMutation("r").Put("f", "q", "v"));
      const ApplyResult result = host_->region().Apply(std::move(batch));
      ASSERT_OK(result.status());
      last = result.range.last;
    }
    if (flushed) {
      ASSERT_OK(host_->region().Flush());
    }
    files_.Crash(1);
    host_->Close().IgnoreError();  // Its files are gone.
    ASSERT_NO_FATAL_FAILURE(MakeManifestForgetNumbers());
    ASSERT_OK(host_->Open());
    EXPECT_GE(host_->region().Stats().write_point, last);
    EXPECT_LT(host_->region().Stats().write_point, last + 100);
  }
}

}  // namespace
}  // namespace shale
