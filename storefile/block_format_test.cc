#include "shale/storefile/block_format.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/storefile/compression.h"

namespace shale {
namespace {

using testing::HasSubstr;

constexpr uint64_t kOffset = 81920;

std::string BlockOf(absl::string_view raw,
                    Compression compression = Compression::kNone) {
  std::string block;
  AppendBlock(BlockKind::kData, compression, raw, kOffset, &block);
  return block;
}

// The same bytes with a checksum that fits them.
std::string Resealed(std::string block) {
  std::string summed;
  PutFixed64(&summed, kOffset);
  block.resize(block.size() - kBlockChecksumBytes);
  PutFixed32(&block, Crc32c(summed + block));
  return block;
}

TEST(BlockFormatTest, BlocksOfAllCodecsComeBack) {
  Random random(TestSeed());
  const std::string raw = random.Bytes(1000) + std::string(10'000, 'z');
  for (uint8_t code = 0; IsCompression(code); ++code) {
    const auto compression = static_cast<Compression>(code);
    if (!IsAvailable(compression)) continue;
    std::string out = "before";
    const BlockHandle handle =
        AppendBlock(BlockKind::kIndex, compression, raw, kOffset, &out);
    const std::string block = out.substr(6);
    EXPECT_EQ(handle,
              (BlockHandle{.offset = kOffset,
                           .bytes = static_cast<uint32_t>(block.size())}));
    EXPECT_THAT(DecodeBlock(block, kOffset, BlockKind::kIndex),
                IsOkAndHolds(raw));
    ASSERT_OK_AND_ASSIGN(const BlockHeader header, DecodeBlockHeader(block));
    EXPECT_EQ(header.compression, compression);
    EXPECT_EQ(header.raw_bytes, raw.size());
    EXPECT_EQ(header.block_bytes(), block.size());
  }
}

TEST(BlockFormatTest, ABlockThatDoesNotShrinkIsStoredRaw) {
  Random random(TestSeed());
  const std::string raw = random.Bytes(500);
  for (const Compression compression :
       {Compression::kLz4, Compression::kZstd, Compression::kSnappy}) {
    if (!IsAvailable(compression)) continue;
    EXPECT_EQ(BlockOf(raw, compression), BlockOf(raw));
  }
}

TEST(BlockFormatTest, EncodingIsTheDocumentedOne) {
  std::string want;
  PutFixed8(&want, 1);  // A data block.
  PutFixed8(&want, 0);  // Not compressed.
  PutFixed32(&want, 3);
  PutFixed32(&want, 3);
  want += "raw";
  PutFixed32(&want, 0);
  EXPECT_EQ(BlockOf("raw"), Resealed(want));
}

TEST(BlockFormatTest, EveryFlippedBitIsFoundAndBothChecksumsAreTold) {
  const std::string block = BlockOf("some bytes");
  for (size_t bit = 0; bit < 8 * block.size(); ++bit) {
    std::string bad = block;
    bad[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_THAT(
        DecodeBlock(bad, kOffset, BlockKind::kData),
        StatusIs(absl::StatusCode::kDataLoss,
                 testing::ContainsRegex("crc32c 0x[0-9a-f]{8}, want 0x")))
        << "bit " << bit;
  }
  for (size_t length = 0; length < block.size(); ++length) {
    EXPECT_THAT(DecodeBlock(block.substr(0, length), kOffset, BlockKind::kData),
                StatusIs(absl::StatusCode::kDataLoss));
  }
}

TEST(BlockFormatTest, ABlockOfAnotherPlaceOrKindIsNotThisBlock) {
  const std::string block = BlockOf("some bytes");
  EXPECT_THAT(DecodeBlock(block, kOffset + 1, BlockKind::kData),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("crc32c")));
  EXPECT_THAT(DecodeBlock(block, kOffset, BlockKind::kBloom),
              StatusIs(absl::StatusCode::kDataLoss, "data block, want bloom"));
}

TEST(BlockFormatTest, ImpossibleHeadersAreRefusedThoughTheChecksumFits) {
  const std::string block = BlockOf("some bytes");
  const auto with = [&](size_t offset, char byte) {
    std::string bad = block;
    bad[offset] = byte;
    return DecodeBlock(Resealed(bad), kOffset, BlockKind::kData);
  };
  EXPECT_THAT(with(0, 0), StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("unknown block kind 0")));
  EXPECT_THAT(with(0, 5), StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("unknown block kind 5")));
  EXPECT_THAT(with(1, 9), StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("unknown compression code 9")));
  EXPECT_THAT(with(1, 1), StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("impossible lengths")));
  EXPECT_THAT(with(2, 9), StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("impossible lengths")));
  std::string longer = block;
  longer[2] = longer[6] = 11;
  EXPECT_THAT(DecodeBlock(Resealed(longer), kOffset, BlockKind::kData),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("header says 25 bytes, want 24")));
  std::string huge = block;
  huge[1] = 1;
  huge[9] = '\x7f';
  EXPECT_THAT(
      DecodeBlock(Resealed(huge), kOffset, BlockKind::kData),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("impossible lengths")));
}

TEST(BlockFormatTest, HandlesComeBack) {
  for (const BlockHandle handle :
       {BlockHandle{},
        BlockHandle{.offset = uint64_t{1} << 40, .bytes = 0xffffffff}}) {
    std::string bytes;
    PutBlockHandle(handle, &bytes);
    Decoder in(bytes);
    BlockHandle read;
    EXPECT_TRUE(ReadBlockHandle(in, &read));
    EXPECT_EQ(read, handle);
    EXPECT_EQ(in.remaining(), 0u);
  }
}

}  // namespace
}  // namespace shale
