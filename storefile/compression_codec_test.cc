#include "shale/storefile/compression_codec.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/storefile/compression.h"

namespace shale {
namespace {

class CompressionCodecTest : public testing::TestWithParam<Compression> {
 protected:
  void SetUp() override {
    if (!IsAvailable(GetParam())) {
      GTEST_SKIP() << CompressionName(GetParam()) << " is not in this build";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Codecs, CompressionCodecTest,
                         testing::Values(Compression::kLz4, Compression::kZstd,
                                         Compression::kSnappy),
                         [](const auto& info) {
                           return std::string(CompressionName(info.param));
                         });

TEST_P(CompressionCodecTest, BytesComeBackAndRepetitionShrinks) {
  Random random(TestSeed());
  for (const size_t bytes : {1, 2, 100, 4096, 300'000}) {
    for (const std::string& raw :
         {std::string(bytes, 'x'), random.Bytes(bytes)}) {
      std::string stored = "kept ";
      Compress(GetParam(), raw, &stored);
      ASSERT_EQ(stored.substr(0, 5), "kept ");
      stored.erase(0, 5);
      EXPECT_THAT(Decompress(GetParam(), stored, raw.size()),
                  IsOkAndHolds(raw));
      if (bytes >= 100 && raw[0] == 'x' && raw[99] == 'x') {
        EXPECT_LT(stored.size(), raw.size() / 2);
      }
    }
  }
}

TEST_P(CompressionCodecTest, DamageAndWrongLengthsAreDataLossOrOtherBytes) {
  Random random(TestSeed());
  const std::string raw = random.Bytes(50) + std::string(500, 'y');
  std::string stored;
  Compress(GetParam(), raw, &stored);
  for (const size_t wrong : {raw.size() - 1, raw.size() + 1, size_t{1}}) {
    EXPECT_THAT(Decompress(GetParam(), stored, wrong),
                StatusIs(absl::StatusCode::kDataLoss));
  }
  for (size_t length = 0; length < stored.size(); ++length) {
    EXPECT_THAT(Decompress(GetParam(), stored.substr(0, length), raw.size()),
                StatusIs(absl::StatusCode::kDataLoss))
        << length;
  }
  for (int i = 0; i < 2000; ++i) {
    std::string bad = stored;
    bad[random.Uniform(bad.size())] ^= 1 << random.Uniform(8);
    const auto result = Decompress(GetParam(), bad, raw.size());
    if (result.ok()) {
      EXPECT_EQ(result->size(), raw.size());
    }
  }
}

TEST(CompressionTest, NamesAndCodesAreFixed) {
  std::string names;
  for (uint8_t code = 0; IsCompression(code); ++code) {
    absl::StrAppend(&names, CompressionName(static_cast<Compression>(code)),
                    " ");
  }
  EXPECT_EQ(names, "none lz4 zstd snappy ");
  EXPECT_TRUE(IsAvailable(Compression::kNone));
}

}  // namespace
}  // namespace shale
