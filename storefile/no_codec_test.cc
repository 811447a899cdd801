// A build on a machine without the compression libraries.
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/compression_codec.h"

namespace shale {
namespace {

using testing::HasSubstr;

TEST(NoCodecTest, AMissingLibraryIsNamedWhenItsCodecIsWanted) {
  EXPECT_TRUE(IsAvailable(Compression::kNone));
  EXPECT_OK(CheckAvailable(Compression::kNone));
  for (const Compression compression :
       {Compression::kLz4, Compression::kZstd, Compression::kSnappy}) {
    EXPECT_FALSE(IsAvailable(compression));
    const std::string library =
        "lib" + std::string(CompressionName(compression));
    EXPECT_THAT(CheckAvailable(compression),
                StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(library)));
    EXPECT_THAT(Decompress(compression, "stored", 100),
                StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(library)));
  }
}

}  // namespace
}  // namespace shale
