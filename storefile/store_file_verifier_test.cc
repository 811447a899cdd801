// Files whose checksums are right and whose contents lie.
#include "shale/storefile/store_file_verifier.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/block_builder.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/bloom.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/file_info_codec.h"
#include "shale/storefile/index_root.h"
#include "shale/storefile/store_file_info.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A file built without its writer, which would not lie. The default is sound.
struct HandmadeFile {
  std::vector<std::string> data = {"a/f:q@5#1 put v, b/f:q@5#2 put v",
                                   "c/f:q@5#3 put v, d/f:q@5#4 put v"};
  std::vector<std::string> separators = {FirstKeyOfRow(""), FirstKeyOfRow("c")};
  // Which data block each index entry leads to.
  std::vector<size_t> entries = {0, 1};
  // By chunk: the first is for rows below the second's separator.
  std::vector<std::vector<std::string>> bloom_rows = {{"a", "b"}, {"c", "d"}};
  std::vector<std::string> bloom_separators = {FirstKeyOfRow(""),
                                               FirstKeyOfRow("c")};
  std::function<void(StoreFileInfo&)> lie = [](StoreFileInfo&) {};

  std::string Build() {
    file_ = EncodeFileHeader();
    StoreFileInfo info;
    info.family = "f";
    info.bloom = BloomKind::kRow;
    std::vector<BlockHandle> blocks;
    for (const std::string& text : data) {
      BlockBuilder block(16);
      for (const Cell& cell : ParseCellsText(text)) {
        std::string key;
        AppendCellKey(cell.view(), &key);
        block.Add(key, cell.value, cell.tags);
        AddCellToInfo(cell.view(), &info);
      }
      blocks.push_back(Append(BlockKind::kData, block.Finish()));
    }
    info.data_blocks = blocks.size();
    std::vector<BlockHandle> chunks;
    for (const std::vector<std::string>& rows : bloom_rows) {
      chunks.push_back(Append(BlockKind::kBloom, Chunk(rows)));
    }
    std::vector<BlockHandle> indexed;
    for (const size_t entry : entries) indexed.push_back(blocks[entry]);
    FileFooter footer;
    footer.index = Index(separators, indexed);
    footer.bloom = Index(bloom_separators, chunks);
    lie(info);
    footer.info = Append(BlockKind::kMeta, EncodeStoreFileInfo(info));
    footer.file_bytes = file_.size() + kFileFooterBytes;
    return file_ + EncodeFileFooter(footer);
  }

 private:
  BlockHandle Append(BlockKind kind, absl::string_view raw) {
    return AppendBlock(kind, Compression::kNone, raw, file_.size(), &file_);
  }

  IndexRoot Index(const std::vector<std::string>& keys,
                  const std::vector<BlockHandle>& blocks) {
    BlockBuilder index(1);
    for (size_t i = 0; i < keys.size(); ++i) {
      std::string value;
      PutBlockHandle(blocks[i], &value);
      index.Add(keys[i], value, "");
    }
    return {.handle = Append(BlockKind::kIndex, index.Finish()), .levels = 1};
  }

  static std::string Chunk(const std::vector<std::string>& rows) {
    std::vector<uint64_t> hashes;
    for (const std::string& row : rows) {
      hashes.push_back(
          BloomHash(BloomPrefix(BloomKind::kRow, FirstKeyOfRow(row))));
    }
    return BuildBloomChunk(hashes, BloomShapeFor(0.001));
  }

  std::string file_;
};

void ExpectFound(HandmadeFile file, const std::string& what) {
  EXPECT_THAT(OpenAndVerify(file.Build()),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("test.sf"), HasSubstr("offset"),
                             HasSubstr(what))));
}

TEST(StoreFileVerifierTest, AnHonestFilePasses) {
  EXPECT_OK(OpenAndVerify(HandmadeFile().Build()));
}

TEST(StoreFileVerifierTest, InfoThatDiffersFromTheCellsIsNamed) {
  const auto lie = [](std::function<void(StoreFileInfo&)> change,
                      const std::string& what) {
    HandmadeFile file;
    file.lie = std::move(change);
    ExpectFound(std::move(file), what);
  };
  lie([](StoreFileInfo& i) { ++i.cells; }, "cells 5, want 4");
  lie([](StoreFileInfo& i) { ++i.deletes; }, "deletes 1, want 0");
  lie([](StoreFileInfo& i) { ++i.family_deletes; }, "family deletes 1");
  lie([](StoreFileInfo& i) { ++i.tagged_cells; }, "tagged cells 1");
  lie([](StoreFileInfo& i) { ++i.key_bytes; }, "key bytes");
  lie([](StoreFileInfo& i) { ++i.value_bytes; }, "value bytes 5, want 4");
  lie([](StoreFileInfo& i) { ++i.data_blocks; }, "data blocks 3, want 2");
  lie([](StoreFileInfo& i) { i.min_timestamp = 4; }, "smallest timestamp 4");
  lie([](StoreFileInfo& i) { i.max_timestamp = 6; }, "largest timestamp 6");
  lie([](StoreFileInfo& i) { i.min_number = {0}; }, "smallest write number 0");
  lie([](StoreFileInfo& i) { i.max_number = {9}; }, "largest write number 9");
  lie([](StoreFileInfo& i) { i.first_row = "aa"; }, "rows aa to d, want a");
  lie([](StoreFileInfo& i) { i.last_row = "dd"; }, "rows a to dd, want a to d");
}

TEST(StoreFileVerifierTest, CellsOutOfOrderAreFound) {
  HandmadeFile in_block;
  in_block.data[0] = "b/f:q@5#1 put v, a/f:q@5#2 put v";
  ExpectFound(in_block, "cell out of order: a/");
  HandmadeFile between_blocks;
  between_blocks.data[0] = "a/f:q@5#1 put v, c/f:q@5#9 put v";
  ExpectFound(between_blocks, "separator not above the block before");
}

TEST(StoreFileVerifierTest, ASeparatorAboveItsBlockIsFound) {
  HandmadeFile file;
  file.separators[1] = FirstKeyOfRow("cc");
  ExpectFound(file, "cell out of order: c/");
}

TEST(StoreFileVerifierTest, SeparatorsThatDoNotRiseAreFound) {
  HandmadeFile file;
  file.separators = {FirstKeyOfRow("a"), FirstKeyOfRow("a")};
  ExpectFound(file, "entry 1 out of order");
}

TEST(StoreFileVerifierTest, ABlockThatNothingLeadsToIsFound) {
  HandmadeFile file;
  file.separators.resize(1);
  file.entries = {0};
  file.bloom_rows.resize(1);
  file.bloom_separators.resize(1);
  file.lie = [](StoreFileInfo& info) {
    StoreFileInfo half;
    half.family = "f";
    half.bloom = BloomKind::kRow;
    half.data_blocks = 1;
    for (const Cell& cell : ParseCellsText(HandmadeFile().data[0])) {
      AddCellToInfo(cell.view(), &half);
    }
    info = half;
  };
  ExpectFound(file, "belong to no block");
}

TEST(StoreFileVerifierTest, ABlockThatIsLedToTwiceIsFound) {
  HandmadeFile file;
  file.separators = {FirstKeyOfRow(""), FirstKeyOfRow("c"), FirstKeyOfRow("d")};
  file.entries = {0, 1, 1};
  ExpectFound(file, "overlaps others");
}

TEST(StoreFileVerifierTest, ABloomThatDeniesACellIsFound) {
  HandmadeFile file;
  file.bloom_rows[1] = {"c"};
  ExpectFound(file, "denies a cell that is there, of row d");
  HandmadeFile misplaced;
  misplaced.bloom_separators[1] = FirstKeyOfRow("d");
  ExpectFound(misplaced, "denies a cell that is there, of row c");
}

TEST(StoreFileVerifierTest, ABloomChunkWithoutACellIsFound) {
  HandmadeFile file;
  file.bloom_rows.push_back({"e"});
  file.bloom_separators.push_back(FirstKeyOfRow("e"));
  ExpectFound(file, "chunk without a cell");
}

TEST(StoreFileVerifierTest, ABloomThatIsPromisedMustBeThere) {
  HandmadeFile file;
  file.lie = [](StoreFileInfo& info) { info.bloom = BloomKind::kNone; };
  ExpectFound(file, "chunk without a cell");
}

}  // namespace
}  // namespace shale
