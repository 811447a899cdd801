#include "shale/base/coding.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using std::string_literals::operator""s;  // For bytes that include zero.

std::string Varint(uint64_t value) {
  std::string bytes;
  PutVarint64(&bytes, value);
  return bytes;
}

TEST(CodingTest, FixedWidthIsLittleEndian) {
  std::string bytes;
  PutFixed8(&bytes, 0x01);
  PutFixed32(&bytes, 0x05040302);
  PutFixed64(&bytes, 0x0d0c0b0a09080706);
  EXPECT_EQ(bytes, "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd");
}

TEST(CodingTest, BigEndianBytesSortAsTheirNumbers) {
  std::string bytes;
  PutBigEndian64(&bytes, 0x0102030405060708);
  EXPECT_EQ(bytes, "\1\2\3\4\5\6\7\x8");

  Random random(TestSeed());
  for (int i = 0; i < 1000; ++i) {
    const uint64_t a = random.Skewed(63);
    const uint64_t b = random.Skewed(63);
    std::string a_bytes;
    std::string b_bytes;
    PutBigEndian64(&a_bytes, a);
    PutBigEndian64(&b_bytes, b);
    EXPECT_EQ(a < b, a_bytes < b_bytes) << a << " " << b;
  }
}

TEST(CodingTest, EncodeAndDecodeAreInverseAtEveryAlignment) {
  Random random(TestSeed());
  char buffer[16];
  for (int at = 0; at < 8; ++at) {
    const uint64_t value = random.Next();
    EncodeFixed64(buffer + at, value);
    EXPECT_EQ(DecodeFixed64(buffer + at), value);
    EncodeBigEndian64(buffer + at, value);
    EXPECT_EQ(DecodeBigEndian64(buffer + at), value);
    EncodeFixed32(buffer + at, static_cast<uint32_t>(value));
    EXPECT_EQ(DecodeFixed32(buffer + at), static_cast<uint32_t>(value));
  }
}

TEST(CodingTest, VarintsAreAsLongAsTheirBitsNeed) {
  EXPECT_EQ(Varint(0), "\0"s);
  EXPECT_EQ(Varint(127), "\x7f");
  EXPECT_EQ(Varint(128), "\x80\x01");
  EXPECT_EQ(Varint(300), "\xac\x02");
  EXPECT_EQ(Varint(std::numeric_limits<uint64_t>::max()),
            "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(CodingTest, VarintsRoundTripAroundEveryPowerOfTwo) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const int64_t delta : {-1, 0, 1}) {
      const uint64_t value = (uint64_t{1} << bit) + delta;
      const std::string bytes = Varint(value);
      EXPECT_EQ(VarintBytes(value), bytes.size());
      Decoder in(bytes);
      uint64_t decoded = 0;
      EXPECT_TRUE(in.ReadVarint64(&decoded));
      EXPECT_EQ(decoded, value);
      EXPECT_EQ(in.remaining(), 0);
    }
  }
}

TEST(DecoderTest, ReadsBackWhatWasPutInOrder) {
  std::string bytes;
  PutFixed8(&bytes, 8);
  PutFixed32(&bytes, 323232);
  PutFixed64(&bytes, 64646464646464);
  PutBigEndian64(&bytes, 46464646);
  PutVarint64(&bytes, 300);
  PutVarint64(&bytes, 301);
  PutLengthPrefixed(&bytes, "family\0x"s);
  bytes += "skiptail";

  Decoder in(bytes);
  uint8_t u8;
  uint32_t u32, varint32;
  uint64_t u64, big64, varint64;
  absl::string_view prefixed, tail;
  ASSERT_TRUE(in.ReadFixed8(&u8) && in.ReadFixed32(&u32) &&
              in.ReadFixed64(&u64) && in.ReadBigEndian64(&big64) &&
              in.ReadVarint64(&varint64) && in.ReadVarint32(&varint32) &&
              in.ReadLengthPrefixed(&prefixed) && in.Skip(4) &&
              in.ReadBytes(4, &tail));
  EXPECT_EQ(u8, 8);
  EXPECT_EQ(u32, 323232);
  EXPECT_EQ(u64, 64646464646464);
  EXPECT_EQ(big64, 46464646);
  EXPECT_EQ(varint64, 300);
  EXPECT_EQ(varint32, 301);
  EXPECT_EQ(prefixed, "family\0x"s);
  EXPECT_EQ(tail, "tail");
  EXPECT_EQ(in.offset(), bytes.size());
  EXPECT_EQ(in.remaining(), 0);
  EXPECT_FALSE(in.failed());
}

TEST(DecoderTest, ShortInputFailsEveryRead) {
  const std::string input = "\x80";
  uint32_t u32;
  uint64_t u64;
  absl::string_view view;
  EXPECT_FALSE(Decoder(input).ReadFixed32(&u32));
  EXPECT_FALSE(Decoder(input).ReadFixed64(&u64));
  EXPECT_FALSE(Decoder(input).ReadBigEndian64(&u64));
  EXPECT_FALSE(Decoder(input).ReadVarint64(&u64));
  EXPECT_FALSE(Decoder(input).ReadVarint32(&u32));
  EXPECT_FALSE(Decoder(input).ReadLengthPrefixed(&view));
  EXPECT_FALSE(Decoder(input).ReadBytes(2, &view));
  EXPECT_FALSE(Decoder(input).Skip(2));
  uint8_t u8;
  EXPECT_FALSE(Decoder("").ReadFixed8(&u8));
}

TEST(DecoderTest, AFailureSticksAndLeavesTheOffsetAtTheFailedItem) {
  Decoder in("\1\2\3");
  uint8_t u8 = 0;
  uint32_t u32 = 77;
  EXPECT_TRUE(in.ReadFixed8(&u8));
  EXPECT_FALSE(in.ReadFixed32(&u32));
  EXPECT_EQ(u32, 77);
  EXPECT_FALSE(in.ReadFixed8(&u8));  // Would fit, but comes after a failure.
  EXPECT_FALSE(in.Skip(0));
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.offset(), 1);
  EXPECT_EQ(in.remaining(), 2);
}

TEST(DecoderTest, ALengthPrefixBeyondTheEndFailsAtThePrefix) {
  std::string bytes = "x";
  PutVarint64(&bytes, std::numeric_limits<uint64_t>::max());
  bytes += "short";
  Decoder in(bytes);
  absl::string_view view;
  EXPECT_TRUE(in.Skip(1));
  EXPECT_FALSE(in.ReadLengthPrefixed(&view));
  EXPECT_EQ(in.offset(), 1);
}

TEST(DecoderTest, OverlongVarintsAreRefused) {
  uint64_t value;
  EXPECT_FALSE(Decoder("\x80\0"s).ReadVarint64(&value));
  EXPECT_FALSE(Decoder("\xff\x80\0"s).ReadVarint64(&value));
}

TEST(DecoderTest, VarintsAbove64BitsAreRefused) {
  uint64_t value;
  EXPECT_FALSE(Decoder(std::string(9, '\xff') + "\x02").ReadVarint64(&value));
  EXPECT_FALSE(Decoder(std::string(10, '\xff') + "\x01").ReadVarint64(&value));
}

TEST(DecoderTest, Varint32RefusesWhatDoesNotFitIntoIt) {
  uint32_t value = 0;
  const std::string most = Varint(0xffffffff);
  EXPECT_TRUE(Decoder(most).ReadVarint32(&value));
  EXPECT_EQ(value, 0xffffffff);
  const std::string above = Varint(uint64_t{1} << 32);
  Decoder in(above);
  EXPECT_FALSE(in.ReadVarint32(&value));
  EXPECT_EQ(in.offset(), 0);
}

TEST(DecoderTest, RandomBytesNeverReadPastTheEnd) {
  Random random(TestSeed());
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = random.Bytes(random.Uniform(40));
    // An exact copy on the heap lets the address sanitizer see an overrun.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    Decoder in(absl::string_view(exact.data(), exact.size()));
    while (!in.failed()) {
      uint64_t u64;
      absl::string_view view;
      switch (random.Uniform(3)) {
        case 0:
          in.ReadVarint64(&u64);
          break;
        case 1:
          in.ReadLengthPrefixed(&view);
          break;
        default:
          in.ReadFixed64(&u64);
      }
      ASSERT_EQ(in.offset() + in.remaining(), bytes.size());
    }
  }
}

}  // namespace
}  // namespace shale
