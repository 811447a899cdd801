#include "shale/storefile/store_file_layout.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

// Four data blocks of one cell under an index of two levels, and a bloom.
std::string SampleFile() {
  const auto bytes = BuildStoreFile(
      ParseCellsText("a/f:q@5#1 put v, b/f:q@5#1 put v, c/f:q@5#1 put v, "
                     "d/f:q@5#1 put v"),
      {.family = "f", .block_bytes = 1, .index_block_bytes = 1});
  EXPECT_OK(bytes);
  return *bytes;
}

TEST(StoreFileLayoutTest, BlocksComeInFileOrderAndFillTheFile) {
  const std::string bytes = SampleFile();
  std::vector<StoreFileBlock> blocks;
  ASSERT_OK_AND_ASSIGN(const StoreFileLayout layout,
                       ReadStoreFileLayout(FileOfBytes(bytes), "test.sf",
                                           [&](const StoreFileBlock& block) {
                                             blocks.push_back(block);
                                             return absl::OkStatus();
                                           }));
  std::string kinds;
  uint64_t end = 16;
  uint64_t cells = 0;
  for (const StoreFileBlock& block : blocks) {
    EXPECT_EQ(block.offset, end);
    end += block.file_bytes;
    if (block.kind == BlockKind::kData) cells += block.entries;
    absl::StrAppend(&kinds, BlockKindName(block.kind), ":", block.entries, " ");
  }
  EXPECT_EQ(kinds,
            "data:1 data:1 data:1 index:2 data:1 index:2 bloom:0 index:2 "
            "index:1 meta:0 ");
  EXPECT_EQ(end, layout.footer_offset);
  EXPECT_EQ(cells, layout.info.cells);
  EXPECT_EQ(layout.version, 1u);
  EXPECT_EQ(layout.index_levels, 2);
  EXPECT_EQ(layout.bloom_levels, 1);
  EXPECT_EQ(layout.index_root_offset, blocks[7].offset);
  EXPECT_EQ(layout.bloom_root_offset, blocks[8].offset);
  EXPECT_EQ(layout.info_offset, blocks[9].offset);
  EXPECT_EQ(CellKeyRow(blocks[1].first_key), "b");
  EXPECT_EQ(blocks[5].first_key, FirstKeyOfRow("c"));
}

TEST(StoreFileLayoutTest, DamageEndsTheWalkWhereItIs) {
  std::string bytes = SampleFile();
  bytes[16 + 20] ^= 1;
  int blocks = 0;
  EXPECT_THAT(
      ReadStoreFileLayout(FileOfBytes(bytes), "test.sf",
                          [&](const StoreFileBlock&) {
                            ++blocks;
                            return absl::OkStatus();
                          }),
      StatusIs(absl::StatusCode::kDataLoss,
               testing::HasSubstr("test.sf: data block at offset 16: crc32c")));
  EXPECT_EQ(blocks, 0);
}

TEST(StoreFileLayoutTest, TheVisitorMayStopTheWalk) {
  EXPECT_THAT(ReadStoreFileLayout(FileOfBytes(SampleFile()), "test.sf",
                                  [](const StoreFileBlock&) {
                                    return absl::CancelledError("enough");
                                  }),
              StatusIs(absl::StatusCode::kCancelled, "enough"));
}

}  // namespace
}  // namespace shale
