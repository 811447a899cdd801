#include "shale/tools/console/progress.h"

#include <sstream>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

class ProgressTest : public testing::Test {
 protected:
  ManualClock clock_;
  std::ostringstream out_;
};

TEST_F(ProgressTest, ATerminalGetsABarWithRateAndTimeLeft) {
  Progress progress(out_, 100, clock_, "import", "lines", 1000);
  clock_.Advance(absl::Seconds(2));
  progress.Update(250, 5000);
  EXPECT_EQ(out_.str(),
            "\r\x1b[Kimport [=====>              ]  25 %"
            "  5,000 lines, 2,500 lines/s, 6.0 s left");
}

TEST_F(ProgressTest, ANoteTakesThePlaceOfTheRate) {
  Progress progress(out_, 0, clock_, "import", "lines", 1000);
  clock_.Advance(absl::Seconds(5));
  progress.Update(250, 5000, "stalled: no space, waiting");
  EXPECT_EQ(out_.str(),
            "import  25 %  5,000 lines, stalled: no space, waiting\n");
}

TEST_F(ProgressTest, TheBarIsGoneAtTheEnd) {
  {
    Progress progress(out_, 100, clock_, "import", "lines", 1000);
    clock_.Advance(absl::Seconds(2));
    progress.Update(1000, 10);
    EXPECT_EQ(out_.str(),
              "\r\x1b[Kimport [====================] 100 %"
              "  10 lines, 5 lines/s");
    out_.str("");
  }
  EXPECT_EQ(out_.str(), "\r\x1b[K");
}

TEST_F(ProgressTest, TheBarIsDrawnAtMostTenTimesASecond) {
  Progress progress(out_, 100, clock_, "import", "lines", 0);
  int drawn = 0;
  for (int millisecond = 0; millisecond < 1000; ++millisecond) {
    out_.str("");
    progress.Update(millisecond, millisecond);
    drawn += out_.str().empty() ? 0 : 1;
    clock_.Advance(absl::Milliseconds(1));
  }
  EXPECT_EQ(drawn, 9);
}

TEST_F(ProgressTest, ABarNeverReachesTheTerminalsLastColumn) {
  Progress progress(out_, 20, clock_, "import", "lines", 1000);
  clock_.Advance(absl::Seconds(2));
  progress.Update(250, 5000);
  EXPECT_EQ(out_.str(), "\r\x1b[Kimport [=====>     ");
}

TEST_F(ProgressTest, ALogGetsAPlainLineEveryFiveSeconds) {
  {
    Progress progress(out_, 0, clock_, "verify", "blocks", 1000);
    clock_.Advance(absl::Milliseconds(4999));
    progress.Update(100, 10);
    EXPECT_EQ(out_.str(), "");
    clock_.Advance(absl::Milliseconds(1));
    progress.Update(200, 20);
    progress.Update(300, 30);
  }
  EXPECT_EQ(out_.str(), "verify  20 %  20 blocks, 4 blocks/s, 0:20 left\n");
}

TEST_F(ProgressTest, AnUnknownTotalHasNeitherBarNorPercent) {
  Progress progress(out_, 100, clock_, "count", "rows", 0);
  clock_.Advance(absl::Seconds(1));
  progress.Update(7, 1234);
  EXPECT_EQ(out_.str(), "\r\x1b[Kcount  1,234 rows, 1,234 rows/s");
}

TEST_F(ProgressTest, ARateWithoutTimeIsZero) {
  EXPECT_EQ(RatePerSecond(100, absl::ZeroDuration()), 0u);
  EXPECT_EQ(RatePerSecond(100, absl::Milliseconds(500)), 200u);
}

TEST_F(ProgressTest, LongTimesReadAsMinutesAndHours) {
  EXPECT_EQ(ElapsedText(absl::Milliseconds(420)), "0.4 s");
  EXPECT_EQ(ElapsedText(absl::Seconds(65)), "1:05");
  EXPECT_EQ(ElapsedText(absl::Seconds(7205)), "2:00:05");
}

}  // namespace
}  // namespace shale
