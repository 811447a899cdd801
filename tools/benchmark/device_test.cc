#include "shale/tools/benchmark/device.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/blocking.h"

namespace shale {
namespace {

TEST(DeviceSpecTest, SaysWhatItIs) {
  EXPECT_EQ(DeviceSpec::Parse("memory")->Describe(), "memory");
  EXPECT_EQ(DeviceSpec::Parse("real")->Describe(), "real");
  EXPECT_EQ(DeviceSpec::Parse("real:/a:b")->Describe(), "real in /a:b");
  EXPECT_EQ(DeviceSpec::Parse("modelled")->Describe(),
            "modelled, 350us per sync, 4 in flight");
  EXPECT_EQ(DeviceSpec::Parse("modelled:/a")->Describe(),
            "modelled in /a, 350us per sync, 4 in flight");
}

TEST(DeviceSpecTest, RefusesOtherWords) {
  for (const char* const text : {"", "disk", "memory:/a", "modeled"}) {
    EXPECT_EQ(DeviceSpec::Parse(text).status().message(),
              absl::StrCat("\"", text,
                           "\" is neither memory, modelled[:DIRECTORY] nor "
                           "real[:DIRECTORY]"));
  }
}

class DeviceTest : public testing::TestWithParam<const char*> {};

TEST_P(DeviceTest, BeginsEmptyAndLeavesNothing) {
  const std::string parent = testing::TempDir() + "/" + GetParam();
  std::filesystem::create_directory(parent);
  DeviceSpec spec = *DeviceSpec::Parse(GetParam());
  if (spec.kind != DeviceSpec::Kind::kMemory) spec.directory = parent;
  spec.model.sync_latency = absl::Microseconds(1);
  {
    const auto device = Device::Open(spec, RealClock());
    ASSERT_OK(device);
    const auto files = ListFiles((*device)->files(), "");
    ASSERT_OK(files);
    EXPECT_TRUE(files->empty());
    EXPECT_OK(AcquireLease((*device)->files(), "host", "test"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(parent));
}

INSTANTIATE_TEST_SUITE_P(All, DeviceTest,
                         testing::Values("memory", "modelled", "real"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

TEST(OpenDeviceTest, AMissingDirectoryIsNamed) {
  DeviceSpec spec = *DeviceSpec::Parse("real:/nowhere/at/all");
  const auto device = Device::Open(spec, RealClock());
  EXPECT_EQ(device.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(device.status().message()),
              testing::HasSubstr("/nowhere/at/all/shale_benchmark_"));
}

TEST(OpenDeviceTest, AModelledSyncTakesAsLongAsItSays) {
  DeviceSpec spec;
  spec.model.sync_latency = absl::Milliseconds(2);
  const auto device = Device::Open(spec, RealClock());
  ASSERT_OK(device);
  const absl::Duration start = RealClock().Monotonic();
  EXPECT_OK(AcquireLease((*device)->files(), "host", "test"));
  EXPECT_GE(RealClock().Monotonic() - start, absl::Milliseconds(2));
}

}  // namespace
}  // namespace shale
