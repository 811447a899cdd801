#include "shale/region/region_metrics.h"

#include <atomic>
#include <string>
#include <thread>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RegionMetricsTest, TheRegistryTellsWhatARegionHasDone) {
  TestHost test;
  Region& region = test.region();
  ASSERT_OK(region.Apply(
      RowMutation("a").Put("f", "q", "v", 1).Put("g", "q", "v", 1)));
  ASSERT_OK(region.Apply(RowMutation("b").Put("f", "q", "v", 1),
                         Durability::kSkipWal));
  ASSERT_OK(region.Flush().status());
  ASSERT_OK(region.Compact().status());
  EXPECT_EQ(ReadText(region, "b"), "b/f:q@1=v");
  EXPECT_EQ(ScanText(region), "a/f:q@1=v a/g:q@1=v\nb/f:q@1=v\n");
  const std::string text = test.metrics().TextExposition();
  for (const char* line : {
           "shale_region_commits_total{region=\"r\"} 2\n",
           "shale_region_unlogged_commits_total{region=\"r\"} 1\n",
           "shale_region_cells_written_total{region=\"r\"} 3\n",
           "shale_region_gets_total{region=\"r\"} 1\n",
           "shale_region_scans_total{region=\"r\"} 1\n",
           "shale_region_flush_seconds_count{region=\"r\"} 1\n",
           "shale_region_flush_failures_total{region=\"r\"} 0\n",
           "shale_region_compaction_seconds_count{region=\"r\"} 1\n",
           "shale_region_memstore_cells{family=\"f\",region=\"r\"} 0\n",
           "shale_region_store_files{family=\"g\",region=\"r\"} 1\n",
           "shale_region_store_file_cells{family=\"f\",region=\"r\"} 2\n",
           "shale_region_row_lock_timeouts_total{region=\"r\"} 0\n",
           "shale_region_health{region=\"r\",state=\"serving\"} 1\n",
           "shale_region_health{region=\"r\",state=\"poisoned\"} 0\n",
           "shale_cache_capacity_bytes{host=\"host\"} 268435456\n",
           "shale_wal_segments{log=\"host/wal\"} ",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("shale_region_flushed_bytes_total{region="
                                  "\"r\"} 0\n")));
}

TEST(RegionMetricsTest, AClosedRegionAndHostAreNotToldOf) {
  TestHost test;
  ASSERT_OK(test.region().Close());
  std::string text = test.metrics().TextExposition();
  EXPECT_THAT(text, Not(HasSubstr("shale_region_commits_total")));
  EXPECT_THAT(text, HasSubstr("shale_cache_resident_bytes"));
  ASSERT_OK(test.Close());
  text = test.metrics().TextExposition();
  EXPECT_THAT(text, Not(HasSubstr("shale_cache_resident_bytes")));
}

TEST(RegionMetricsTest, AScrapeMayRunWhileRegionsOpenWriteAndClose) {
  TestHost test;
  std::atomic<bool> done = false;
  std::thread scraper([&] {
    while (!done) test.metrics().TextExposition();
  });
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(test.region().Apply(RowMutation("a").Put("f", "q", "v")));
    if (i % 2 == 0) {
      test.Reopen();
    } else {
      test.ReopenRegion();
    }
  }
  done = true;
  scraper.join();
}

}  // namespace
}  // namespace shale
