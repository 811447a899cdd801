#include "shale/base/uuid_coding.h"

#include <string>

#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

TEST(UuidCodingTest, BytesAreWrittenInTheOrderOfTheText) {
  ASSERT_OK_AND_ASSIGN(const Uuid uuid,
                       Uuid::Parse("00112233-4455-6677-8899-aabbccddeeff"));
  std::string bytes = "x";
  PutUuid(&bytes, uuid);
  EXPECT_EQ(bytes,
            std::string("x\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc"
                        "\xdd\xee\xff",
                        17));
  Decoder in(bytes);
  ASSERT_TRUE(in.Skip(1));
  Uuid read;
  ASSERT_TRUE(ReadUuid(in, &read));
  EXPECT_EQ(read, uuid);
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(UuidCodingTest, AShortOneIsLeftAloneAndFailsTheDecoder) {
  Decoder in("fifteen bytes..");
  Uuid read;
  EXPECT_FALSE(ReadUuid(in, &read));
  EXPECT_EQ(read, Uuid());
  EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace shale
