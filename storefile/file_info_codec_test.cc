#include "shale/storefile/file_info_codec.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/store_file_info.h"

namespace shale {
namespace {

StoreFileInfo SampleInfo() {
  StoreFileInfo info;
  info.family = "f";
  for (const Cell& cell :
       ParseCellsText("a/f:@7#3 delfam, a/f:q@5#9 put v, b/f:q@9#2 del, "
                      "b/f:q@8#4 put value")) {
    AddCellToInfo(cell.view(), &info);
  }
  return info;
}

TEST(FileInfoCodecTest, CellsAreCountedByWhatTheyAre) {
  StoreFileInfo info = SampleInfo();
  EXPECT_EQ(info.first_row, "a");
  EXPECT_EQ(info.last_row, "b");
  EXPECT_EQ(info.min_timestamp, 5);
  EXPECT_EQ(info.max_timestamp, 9);
  EXPECT_EQ(info.min_number, WriteNumber{2});
  EXPECT_EQ(info.max_number, WriteNumber{9});
  EXPECT_EQ(info.cells, 4u);
  EXPECT_EQ(info.deletes, 2u);
  EXPECT_EQ(info.family_deletes, 1u);
  EXPECT_EQ(info.tagged_cells, 0u);
  EXPECT_EQ(info.key_bytes, 4 * (2 + 1 + 17) + 3u);
  EXPECT_EQ(info.value_bytes, 6u);
  Cell tagged = ParseCellText("c/f:q@5#9 put v");
  tagged.tags = "tags";
  AddCellToInfo(tagged.view(), &info);
  EXPECT_EQ(info.tagged_cells, 1u);
  EXPECT_EQ(info.value_bytes, 11u);
}

TEST(FileInfoCodecTest, InfoComesBackExceptTheFilesLength) {
  StoreFileInfo info = SampleInfo();
  info.created_at = 1700000000000000;
  info.compression = Compression::kZstd;
  info.bloom = BloomKind::kRowColumn;
  info.includes_oldest = true;
  info.data_blocks = 12;
  EXPECT_THAT(DecodeStoreFileInfo(EncodeStoreFileInfo(info)),
              IsOkAndHolds(info));
  EXPECT_THAT(DecodeStoreFileInfo(EncodeStoreFileInfo(StoreFileInfo())),
              IsOkAndHolds(StoreFileInfo()));
}

TEST(FileInfoCodecTest, CutOrExtendedBytesAreRefused) {
  const std::string block = EncodeStoreFileInfo(SampleInfo());
  for (size_t length = 0; length < block.size(); ++length) {
    EXPECT_THAT(DecodeStoreFileInfo(block.substr(0, length)),
                StatusIs(absl::StatusCode::kDataLoss));
  }
  EXPECT_THAT(DecodeStoreFileInfo(block + "x"),
              StatusIs(absl::StatusCode::kDataLoss,
                       testing::HasSubstr("bad file info")));
}

TEST(FileInfoCodecTest, UnknownCodesAreRefused) {
  const std::string block = EncodeStoreFileInfo(SampleInfo());
  for (size_t from_end = 1; from_end <= 3; ++from_end) {
    std::string bad = block;
    bad[bad.size() - from_end] = 9;
    EXPECT_THAT(DecodeStoreFileInfo(bad),
                StatusIs(absl::StatusCode::kDataLoss));
  }
}

}  // namespace
}  // namespace shale
