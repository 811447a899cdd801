#include "shale/filesystem/metadata_object.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/file_system.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::HasSubstr;

MetaObject Sample() { return {"manifest", MetaVersion{3}}; }

TEST(MetadataObjectTest, GoldenFileDecodesAndEncodesToItself) {
  std::ifstream file("filesystem/testdata/v1_sample.meta", std::ios::binary);
  const std::string golden((std::istreambuf_iterator<char>(file)), {});
  ASSERT_OK_AND_ASSIGN(const MetaObject object,
                       DecodeMetadataObject("golden", golden));
  EXPECT_EQ(object.bytes, Sample().bytes);
  EXPECT_EQ(object.version, Sample().version);
  EXPECT_EQ(absl::BytesToHexString(EncodeMetadataObject(Sample())),
            absl::BytesToHexString(golden));
}

TEST(MetadataObjectTest, EmptyObjectHasAHeaderOnly) {
  const std::string file = EncodeMetadataObject({"", MetaVersion{1}});
  EXPECT_EQ(file.size(), kMetadataObjectHeaderBytes);
  ASSERT_OK_AND_ASSIGN(const MetaObject object,
                       DecodeMetadataObject("m", file));
  EXPECT_EQ(object.bytes, "");
}

TEST(MetadataObjectTest, EveryFlippedBitIsFound) {
  const std::string good = EncodeMetadataObject(Sample());
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] ^= 1 << bit % 8;
    const auto object = DecodeMetadataObject("dir/m", bad);
    ASSERT_FALSE(object.ok()) << "bit " << bit;
    EXPECT_THAT(object.status().message(), HasSubstr("dir/m"));
  }
}

TEST(MetadataObjectTest, EveryOtherLengthIsDataLoss) {
  const std::string good = EncodeMetadataObject(Sample());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(DecodeMetadataObject("m", good.substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss))
        << size;
  }
  EXPECT_THAT(DecodeMetadataObject("m", good + "x"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("offset 24 is 8"),
                             HasSubstr("9 bytes follow"))));
}

// The next version would be 0, which no file can have.
TEST(MetadataObjectTest, VersionWithoutASuccessorIsDataLoss) {
  const uint64_t largest = std::numeric_limits<uint64_t>::max();
  EXPECT_OK(DecodeMetadataObject(
      "m", EncodeMetadataObject({"", MetaVersion{largest - 1}})));
  EXPECT_THAT(DecodeMetadataObject(
                  "m", EncodeMetadataObject({"", MetaVersion{largest}})),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("m: version at offset 16"),
                             HasSubstr("largest"))));
}

TEST(MetadataObjectTest, NewerFormatIsRefusedAsSuch) {
  std::string newer = EncodeMetadataObject(Sample());
  newer[8] = kMetadataObjectFormat + 1;
  EXPECT_THAT(DecodeMetadataObject("dir/m", newer),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("dir/m"), HasSubstr("is 2"),
                             HasSubstr("offset 8"), HasSubstr("1 to 1"))));
}

}  // namespace
}  // namespace shale
