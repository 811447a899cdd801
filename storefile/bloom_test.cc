#include "shale/storefile/bloom.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

// Computed by another program from the definition in bloom.h.
TEST(BloomHashTest, ValuesAreTheDocumentedOnes) {
  EXPECT_EQ(BloomHash(""), 0xe220a8397b1dcdaf);
  EXPECT_EQ(BloomHash("a"), 0x3e506e5796335af0);
  EXPECT_EQ(BloomHash(absl::string_view("\0", 1)), 0xdce423fc82c0d5b8);
  EXPECT_EQ(BloomHash("abcdefg"), 0x579d5f1625472100);
  EXPECT_EQ(BloomHash("abcdefgh"), 0x78750afed38ade36);
  EXPECT_EQ(BloomHash("abcdefghi"), 0x5c31ebaa7452a21f);
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes += static_cast<char>(byte);
  EXPECT_EQ(BloomHash(all_bytes), 0xb03f41decc94c0b0);
}

TEST(BloomTest, AChunkHasTheDocumentedBytes) {
  const std::vector<uint64_t> hashes = {BloomHash("one"), BloomHash("two"),
                                        BloomHash("three")};
  const std::string chunk =
      BuildBloomChunk(hashes, {.bits_per_key = 171, .probes = 6});
  EXPECT_EQ(chunk.size(), 1 + 65u);
  std::string set;
  for (size_t bit = 0; bit < 8 * 65; ++bit) {
    if (chunk[1 + bit / 8] >> (bit % 8) & 1) absl::StrAppend(&set, bit, " ");
  }
  EXPECT_EQ(
      set,
      "51 56 111 171 199 224 259 274 294 329 349 365 390 400 425 450 500 510 ");
  EXPECT_EQ(chunk[0], 6);
  EXPECT_EQ(BuildBloomChunk({}, {.bits_per_key = 10, .probes = 7}),
            "\x07" + std::string(64, '\0'));
}

TEST(BloomTest, PrefixesAreOfTheRowOrOfTheColumn) {
  const std::string key = FirstKeyOfColumn("row", "qual");
  EXPECT_EQ(BloomPrefix(BloomKind::kRow, key), absl::string_view("\0\3row", 5));
  EXPECT_EQ(BloomPrefix(BloomKind::kRowColumn, key),
            absl::string_view("\0\3rowqual", 9));
  EXPECT_EQ(BloomSeekKey(BloomKind::kRow, key), FirstKeyOfRow("row"));
  EXPECT_EQ(BloomSeekKey(BloomKind::kRowColumn, key), key);
}

// Wanted rates, keys, and keys of the awkward kind: short, alike, counted up.
TEST(BloomTest, NeverDeniesAKeyAndHoldsTheWantedErrorRate) {
  constexpr int kAsked = 100'000;
  for (const double wanted : {0.5, 0.1, 0.01, 0.001}) {
    for (const int keys : {1, 10, 1000, 50'000}) {
      const BloomShape shape = BloomShapeFor(wanted);
      std::vector<uint64_t> hashes;
      for (int i = 0; i < keys; ++i) {
        hashes.push_back(BloomHash(absl::StrCat("key", i)));
      }
      const std::string chunk = BuildBloomChunk(hashes, shape);
      for (const uint64_t hash : hashes) {
        ASSERT_THAT(BloomChunkMayContain(chunk, hash), IsOkAndHolds(true));
      }
      int wrong = 0;
      for (int i = 0; i < kAsked; ++i) {
        wrong += *BloomChunkMayContain(chunk, BloomHash(absl::StrCat("no", i)));
      }
      const double rate = static_cast<double>(wrong) / kAsked;
      EXPECT_LE(rate, 2 * wanted) << wanted << " wanted, " << keys << " keys";
      // A handful of keys round up to whole bytes.
      if (keys >= 1000) {
        EXPECT_GE(rate, wanted / 2) << keys << " keys";
      }
    }
  }
}

TEST(BloomTest, BytesThatAreNoChunkAreDataLoss) {
  for (const std::string& chunk :
       {std::string(), "\x05" + std::string(63, 'x'), std::string(65, '\0'),
        "\x1f" + std::string(64, 'x')}) {
    EXPECT_THAT(BloomChunkMayContain(chunk, 7),
                StatusIs(absl::StatusCode::kDataLoss));
  }
}

}  // namespace
}  // namespace shale
