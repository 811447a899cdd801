// What a wall clock that reads wrong does to a region: nothing that stays. Each
// reading, through each step that forgets what is expired.
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/manifest.h"
#include "shale/region/manifest_codec.h"
#include "shale/region/region_host.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::Duration kDay = absl::Hours(24);
constexpr absl::Duration kYear = absl::Hours(365 * 24);

// A host whose region keeps the cells of family f for ten days.
class ClockHost {
 public:
  explicit ClockHost(HostOptions options = {})
      : host_(files_, TestHost::Schema({.max_versions = 3, .ttl = 10 * kDay}),
              {}, std::move(options), clock_) {
    EXPECT_OK(host_.Open());
  }

  ManualClock& clock() { return clock_; }
  FileSystem& files() { return files_; }
  TestHost& host() { return host_; }
  Region& region() { return host_.region(); }

  void Put(const std::string& row, absl::Duration age) {
    EXPECT_OK(region().Apply(RowMutation(row).Put(
        "f", "q", "v", WallTimestamp(clock_.Now() - age))));
  }
  void Flush() { EXPECT_OK(region().Flush()); }
  void Compact() { EXPECT_OK(region().Compact()); }

  std::string Rows() { return ScanText(region(), {}, /*timestamps=*/false); }

  int64_t HeldSeconds() {
    return host_.metrics()
        .GetGauge("shale_region_purge_clock_held_seconds", "",
                  {{"region", "r"}})
        .value();
  }

 private:
  ManualClock clock_;
  ThreadPoolExecutor executor_{2, clock_};
  MemoryFileSystem files_{executor_};
  TestHost host_;
};

struct Reading {
  const char* name;
  absl::Time wall;
  // By it all would be expired.
  bool far_ahead;
};
const Reading kReadings[] = {
    {"BeforeTheEpoch", absl::FromUnixMicros(-1), false},
    {"Epoch", absl::UnixEpoch(), false},
    {"EndOfTime", absl::FromUnixMicros(kMaxTimestamp), true},
    {"Infinite", absl::InfiniteFuture(), true},
    {"FortyYearsAhead", absl::FromUnixSeconds(1600000000) + 40 * kYear, true},
};

class ClockReadingTest : public testing::TestWithParam<Reading> {
 protected:
  // Rows in a file, in the memstore, and in the log alone if `step` reopens.
  void ExpectNoLiveCellLostBy(const std::function<void()>& step) {
    test_.Put("a", absl::ZeroDuration());
    test_.Put("b", 9 * kDay);
    test_.Flush();
    test_.Put("c", absl::ZeroDuration());
    test_.Put("d", 9 * kDay);
    const std::string all = test_.Rows();
    const absl::Time now = test_.clock().Now();
    test_.clock().SetWall(GetParam().wall);
    step();
    EXPECT_EQ(test_.HeldSeconds() > 0, GetParam().far_ahead);
    EXPECT_EQ(test_.host().log().lines().empty(), !GetParam().far_ahead);
    test_.clock().SetWall(now);
    EXPECT_EQ(test_.Rows(), all);
    test_.Flush();
    test_.Compact();
    EXPECT_EQ(test_.HeldSeconds(), 0);
    EXPECT_EQ(test_.Rows(), all);
    test_.host().Reopen();
    EXPECT_EQ(test_.Rows(), all);
  }

  ClockHost test_;
};

INSTANTIATE_TEST_SUITE_P(Readings, ClockReadingTest,
                         testing::ValuesIn(kReadings), [](const auto& info) {
                           return std::string(info.param.name);
                         });

// B040, B041.
TEST_P(ClockReadingTest, FlushDropsNoLiveCell) {
  ExpectNoLiveCellLostBy([this] { test_.Flush(); });
}

TEST_P(ClockReadingTest, CompactionDropsNoLiveCell) {
  ExpectNoLiveCellLostBy([this] {
    test_.Flush();
    test_.Compact();
  });
}

TEST_P(ClockReadingTest, CloseDropsNoLiveCell) {
  ExpectNoLiveCellLostBy([this] {
    ASSERT_OK(test_.host().Close());
    // Under the same reading, for what Rows needs.
    ASSERT_OK(test_.host().Open());
  });
}

TEST_P(ClockReadingTest, MaintenanceAfterAnOpenDropsNoLiveCell) {
  ExpectNoLiveCellLostBy([this] {
    const absl::Time wrong = test_.clock().Now();
    test_.clock().SetWall(absl::FromUnixSeconds(1600000000));
    ASSERT_OK(test_.host().Close());
    test_.clock().SetWall(wrong);
    ASSERT_OK(test_.host().Open());
    test_.Flush();
    test_.Compact();
  });
}

TEST(RegionClockTest, ExpiredCellsGoWhileTheClockRunsAsItShould) {
  ClockHost test;
  test.Put("a", absl::ZeroDuration());
  test.Put("b", 9 * kDay);
  test.Flush();
  test.clock().Advance(2 * kDay);
  test.Compact();
  EXPECT_EQ(test.region().Stats().families[0].file_cells, 1);
  ASSERT_OK(test.host().Close());
  test.clock().SetWall(test.clock().Now() + 300 * kDay);
  ASSERT_OK(test.host().Open());
  test.Compact();
  EXPECT_EQ(test.region().Stats().families[0].file_cells, 0)
      << "a year's sleep is no jump";
  EXPECT_EQ(test.HeldSeconds(), 0);
}

// As versions 1 and 2 of the manifest are read.
TEST(RegionClockTest, FilesSayWhatTheTimeWasWhereTheManifestDoesNot) {
  ClockHost test;
  test.Put("a", absl::ZeroDuration());
  test.Flush();
  const std::string all = test.Rows();
  ASSERT_OK(test.host().Close());
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         AcquireLease(test.files(), "host", "the test"));
    ASSERT_OK_AND_ASSIGN(const auto files,
                         ListFiles(test.files(), "host/regions/"));
    ASSERT_EQ(files.size(), 1u);
    const std::string& file = files[0].name;
    const std::string name =
        absl::StrCat(file.substr(0, file.rfind('/')), "/manifest");
    ASSERT_OK_AND_ASSIGN(const MetaObject object, ReadMeta(test.files(), name));
    ASSERT_OK_AND_ASSIGN(Manifest manifest, DecodeManifest(object));
    EXPECT_EQ(manifest.believed_time, WallTimestamp(test.clock()));
    manifest.believed_time = 0;
    ASSERT_OK(CommitMeta(test.files(), name, EncodeManifest(manifest),
                         object.version, lease->token()));
  }
  const absl::Time now = test.clock().Now();
  test.clock().SetWall(now + 40 * kYear);
  ASSERT_OK(test.host().Open());
  test.Compact();
  EXPECT_GT(test.HeldSeconds(), 0);
  test.clock().SetWall(now);
  EXPECT_EQ(test.Rows(), all);
}

TEST(RegionClockTest, JumpIsToldOnceAndMeasured) {
  ClockHost test;
  test.Put("a", absl::ZeroDuration());
  test.clock().SetWall(test.clock().Now() + 40 * kYear);
  for (int i = 0; i < 3; ++i) {
    test.Flush();
    test.Compact();
  }
  EXPECT_EQ(test.HeldSeconds(), absl::ToInt64Seconds(40 * kYear));
  ASSERT_EQ(test.host().log().lines().size(), 1u);
  EXPECT_THAT(test.host().log().lines()[0],
              AllOf(HasSubstr("warning r: the wall clock reads 2060-"),
                    HasSubstr("and not 2020-"), HasSubstr("trust_wall_clock")));
}

TEST(RegionClockTest, AClockThatIsTrustedIsRightHoweverFarItHasMoved) {
  HostOptions options;
  options.trust_wall_clock = true;
  ClockHost test(options);
  test.Put("a", absl::ZeroDuration());
  test.Flush();
  test.host().Reopen();
  test.clock().SetWall(test.clock().Now() + 40 * kYear);
  test.Compact();
  EXPECT_EQ(test.region().Stats().families[0].file_cells, 1)
      << "trusted is what it reads at open";
  test.host().Reopen();
  test.Compact();
  EXPECT_EQ(test.region().Stats().families[0].file_cells, 0);
  EXPECT_EQ(test.HeldSeconds(), 0);
}

TEST(RegionClockTest, NoncesOutliveAClockThatReadsFarAheadAtOpen) {
  ClockHost test;
  const auto count = [&test] {
    return test.region()
        .Increment(Increment("n", {.nonce = {1, 7}}).Add("g", "q", 1))
        .status;
  };
  ASSERT_OK(count());
  const std::string once = test.Rows();
  const absl::Time now = test.clock().Now();
  ASSERT_OK(test.host().Close());
  test.clock().SetWall(now + 40 * kYear);
  ASSERT_OK(test.host().Open());
  ASSERT_OK(count());
  test.clock().SetWall(now);
  EXPECT_EQ(test.Rows(), once);
}

}  // namespace
}  // namespace shale
