// Which store files a read leaves alone: those with nothing that counts for it.
// Reads of them would fail here.
#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

class FilePruningTest : public testing::Test {
 protected:
  static void FailReadsOf(absl::string_view file, FaultyFileSystem& files) {
    files.faults().Inject({.op = FileOp::kRead,
                           .name = absl::StrCat("*", file),
                           .times = FaultRule::kAlways,
                           .fault = {.error_number = EIO}});
  }

  // All versions of row r, or "error".
  static std::string ReadOrError(Region& region, TimeRange range) {
    Get get{"r", {}};
    get.options.time_range = range;
    get.options.max_versions = kAllVersions;
    const auto row = region.Read(get);
    return row.ok() ? Text(*row) : std::string("error");
  }

  ThreadPoolExecutor executor_{2, RealClock()};
};

TEST_F(FilePruningTest, ATimeRangeLeavesOutFilesOfOtherTimes) {
  for (const DeleteRule rule :
       {DeleteRule::kTimestamp, DeleteRule::kSequence}) {
    for (const bool deletes : {false, true}) {
      SCOPED_TRACE(absl::StrCat(rule == DeleteRule::kTimestamp, deletes));
      MemoryFileSystem memory(executor_);
      FaultyFileSystem files(memory, executor_);
      TestHost host(files,
                    TestHost::Schema({.max_versions = 3, .delete_rule = rule}),
                    {}, {});
      ASSERT_OK(host.Open());
      RowMutation first("r");
      first.Put("f", "q", "old", 10).Put("f", "q", "older", 5);
      if (deletes) first.DeleteVersion("f", "p", 7);
      ASSERT_OK(host.region().Apply(first));
      ASSERT_OK_AND_ASSIGN(const FlushResult flushed, host.region().Flush());
      ASSERT_EQ(flushed.files.size(), 1);
      ASSERT_OK(host.region().Apply(RowMutation("r").Put("f", "q", "new", 20)));
      ASSERT_OK(host.region().Flush());
      host.Reopen();  // Nothing is cached.
      FailReadsOf(flushed.files[0], files);
      const auto read = [&](TimeRange range) {
        return ReadOrError(host.region(), range);
      };
      const bool newer_count = rule == DeleteRule::kSequence || deletes;
      EXPECT_EQ(read({11, 100}), "r/f:q@20=new");
      EXPECT_EQ(read({10, 100}), "error");
      EXPECT_EQ(read({0, 5}), newer_count ? "error" : "");
      EXPECT_EQ(read({5, 6}), "error");
      EXPECT_EQ(read({}), "error");
    }
  }
}

TEST_F(FilePruningTest, FilesOfExpiredCellsAreNotRead) {
  for (const DeleteRule rule :
       {DeleteRule::kTimestamp, DeleteRule::kSequence}) {
    for (const int min_versions : {0, 1}) {
      SCOPED_TRACE(absl::StrCat(rule == DeleteRule::kTimestamp, min_versions));
      MemoryFileSystem memory(executor_);
      FaultyFileSystem files(memory, executor_);
      ManualClock clock;
      TestHost host(files,
                    TestHost::Schema({.max_versions = 3,
                                      .min_versions = min_versions,
                                      .ttl = absl::Hours(1),
                                      .delete_rule = rule}),
                    {}, {}, clock);
      ASSERT_OK(host.Open());
      // A marker of the same time doesn't make the file count.
      ASSERT_OK(host.region().Apply(
          RowMutation("r").Put("f", "q", "old").DeleteColumn("f", "p")));
      ASSERT_OK_AND_ASSIGN(const FlushResult flushed, host.region().Flush());
      host.Reopen();  // Nothing is cached.
      FailReadsOf(flushed.files[0], files);
      clock.Advance(absl::Hours(1));
      EXPECT_EQ(ReadOrError(host.region(), {}), "error");
      clock.Advance(absl::Seconds(1));
      EXPECT_EQ(ReadOrError(host.region(), {}),
                min_versions == 0 ? "" : "error");
      const UpdateResult counted =
          host.region().Increment(Increment("r").Add("f", "q", 1));
      EXPECT_EQ(counted.status.ok(), min_versions == 0) << counted.status;
    }
  }
}

}  // namespace
}  // namespace shale
