#include "shale/base/log_sink.h"

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/stderr_log_sink.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/manual_clock.h"

namespace shale {
namespace {

using ::testing::ElementsAre;

TEST(StderrLogSinkTest, WritesTimeSeveritySourceAndMessageAsOneLine) {
  ManualClock clock(absl::FromUnixMicros(1600000000123456));
  StderrLogSink sink(clock);
  testing::internal::CaptureStderr();
  sink.Log(Severity::kWarning, "wal", "segment 12 is slow");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "2020-09-13T12:26:40.123456Z warning wal: segment 12 is slow\n");
}

TEST(CapturingLogSinkTest, KeepsEverythingInOrder) {
  CapturingLogSink sink;
  sink.Log(Severity::kInfo, "region", "opened");
  sink.Log(Severity::kError, "wal", "poisoned");
  EXPECT_THAT(sink.lines(),
              ElementsAre("info region: opened", "error wal: poisoned"));
}

TEST(NullLogSinkTest, WritesNothing) {
  NullLogSink sink;
  testing::internal::CaptureStderr();
  sink.Log(Severity::kError, "wal", "poisoned");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace shale
