#include "shale/base/crc32c.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/crc32c_table.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

struct Crc32cVector {
  const char* name;
  std::string data;
  uint32_t crc;
};

std::string Counting(int first, int step) {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(first + i * step);
  return bytes;
}

class Crc32cVectorTest : public testing::TestWithParam<Crc32cVector> {};

TEST_P(Crc32cVectorTest, BothImplementationsGiveThePublishedValue) {
  const Crc32cVector& v = GetParam();
  EXPECT_EQ(Crc32c(v.data), v.crc);
  EXPECT_EQ(ExtendCrc32cByTable(0, v.data), v.crc);
}

// RFC 3720, appendix B.4, and the customary check value.
INSTANTIATE_TEST_SUITE_P(
    Published, Crc32cVectorTest,
    testing::Values(Crc32cVector{"Zeros", std::string(32, '\0'), 0x8a9136aa},
                    Crc32cVector{"Ones", std::string(32, '\xff'), 0x62a8ab43},
                    Crc32cVector{"Ascending", Counting(0, 1), 0x46dd794e},
                    Crc32cVector{"Descending", Counting(31, -1), 0x113fdb5c},
                    Crc32cVector{"Digits", "123456789", 0xe3069283},
                    Crc32cVector{"Nothing", "", 0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Crc32cTest, AgreesWithTheTableAtEveryLengthAndAlignment) {
  Random random(TestSeed());
  const std::string bytes = random.Bytes(400);
  for (size_t start = 0; start < 16; ++start) {
    for (size_t length = 0; length <= 300; ++length) {
      const absl::string_view data =
          absl::string_view(bytes).substr(start, length);
      ASSERT_EQ(Crc32c(data), ExtendCrc32cByTable(0, data))
          << "start " << start << " length " << length;
    }
  }
}

TEST(Crc32cTest, ExtendingGivesTheChecksumOfTheWhole) {
  Random random(TestSeed());
  const std::string bytes = random.Bytes(5000);
  const absl::string_view view = bytes;
  for (int i = 0; i < 200; ++i) {
    const size_t cut = random.Uniform(view.size() + 1);
    EXPECT_EQ(ExtendCrc32c(Crc32c(view.substr(0, cut)), view.substr(cut)),
              Crc32c(view));
    EXPECT_EQ(ExtendCrc32cByTable(ExtendCrc32cByTable(0, view.substr(0, cut)),
                                  view.substr(cut)),
              Crc32c(view));
  }
}

TEST(Crc32cTest, AnyFlippedBitChangesIt) {
  std::string bytes = Random(TestSeed()).Bytes(64);
  const uint32_t crc = Crc32c(bytes);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= 1 << (bit % 8);
    EXPECT_NE(Crc32c(bytes), crc) << "bit " << bit;
    bytes[bit / 8] ^= 1 << (bit % 8);
  }
}

}  // namespace
}  // namespace shale
