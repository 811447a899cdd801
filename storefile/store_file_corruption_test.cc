// Damaged, cut and lying files, and files that can't be read.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/store_file_writer.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<Cell> SomeCells() {
  std::vector<Cell> cells;
  for (int i = 100; i < 140; ++i) {
    cells.push_back(
        ParseCellText(absl::StrCat("row", i, "/f:q@5#1 put value", i)));
  }
  return cells;
}

// Small, with everything in it: several blocks, index levels and a bloom.
std::string SmallFile() {
  const auto bytes = BuildStoreFile(
      SomeCells(),
      {.family = "f", .block_bytes = 200, .index_block_bytes = 64});
  EXPECT_OK(bytes);
  return *bytes;
}

// Everything that a reader can do to a file; the first error.
absl::Status UseAll(std::unique_ptr<ReadFile> file) {
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  SHALE_ASSIGN_OR_RETURN(
      const auto reader,
      OpenStoreFile(std::move(file), "test.sf", cache.NewFileId(), cache));
  const auto scanner = reader->NewScanner({});
  SHALE_RETURN_IF_ERROR(scanner->Seek(""));
  while (scanner->cell() != nullptr) {
    const absl::StatusOr<bool> found =
        reader->MayContainRow(scanner->cell()->row);
    SHALE_RETURN_IF_ERROR(found.status());
    EXPECT_TRUE(*found);
    SHALE_RETURN_IF_ERROR(scanner->Next());
  }
  SHALE_RETURN_IF_ERROR(reader->MiddleRow().status());
  return reader->Verify(nullptr);
}

TEST(StoreFileCorruptionTest, EveryFlippedByteIsFoundByOpenOrVerify) {
  const std::string good = SmallFile();
  ASSERT_OK(OpenAndVerify(good));
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string bad = good;
      bad[i] ^= flip;
      ASSERT_THAT(OpenAndVerify(bad),
                  StatusIs(absl::StatusCode::kDataLoss,
                           AllOf(HasSubstr("test.sf"), HasSubstr("offset"))))
          << "byte " << i << " of " << good.size();
    }
  }
}

TEST(StoreFileCorruptionTest, AScannerNeverGivesDamagedCells) {
  const std::string good = SmallFile();
  const std::vector<Cell> cells = SomeCells();
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= '\x10';
    LruBlockCache cache({.capacity_bytes = 1 << 20});
    const auto reader = OpenBytes(bad, cache);
    if (!reader.ok()) continue;
    const auto scanner = (*reader)->NewScanner({});
    absl::Status status = scanner->Seek("");
    for (const Cell& cell : cells) {
      if (!status.ok()) break;
      ASSERT_NE(scanner->cell(), nullptr) << "an error taken for the end";
      ASSERT_TRUE(Cell(*scanner->cell()) == cell);
      status = scanner->Next();
    }
    EXPECT_EQ(scanner->cell(), nullptr);
    EXPECT_EQ(scanner->Seek(""), status) << "errors stick";
  }
}

TEST(StoreFileCorruptionTest, AFileCutAtAnyLengthDoesNotOpen) {
  const std::string good = SmallFile();
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  for (size_t length = 0; length < good.size(); ++length) {
    ASSERT_THAT(OpenBytes(good.substr(0, length), cache),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("test.sf")))
        << length;
  }
  EXPECT_THAT(OpenBytes(good + "x", cache),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(OpenBytes(good + good, cache),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(OpenBytes(std::string(good.size(), '\0'), cache),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(StoreFileCorruptionTest, ANewerVersionIsNamedWhateverItsFooter) {
  std::string newer = SmallFile();
  newer[8] = 7;
  std::string crc;
  PutFixed32(&crc, Crc32c(newer.substr(0, 12)));
  newer.replace(12, 4, crc);
  newer.replace(newer.size() - 40, 40,
                "a footer of a form unknown to version 1");
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  EXPECT_THAT(OpenBytes(newer, cache),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "test.sf: store file of version 7, this build reads "
                       "versions 1 to 1"));
}

TEST(StoreFileCorruptionTest, EveryReadErrorSurfaces) {
  const std::string bytes = SmallFile();
  ReadSpy spy;
  ASSERT_OK(UseAll(FileOfBytes(bytes, &spy)));
  const int reads = spy.reads;
  ASSERT_GT(reads, 20);
  for (int i = 0; i < reads; ++i) {
    ReadSpy failing;
    failing.failing_read = i;
    EXPECT_THAT(UseAll(FileOfBytes(bytes, &failing)),
                StatusIs(absl::StatusCode::kUnavailable,
                         AllOf(HasSubstr("test.sf"), HasSubstr("offset"),
                               HasSubstr("injected"))))
        << "read " << i;
  }
}

TEST(StoreFileCorruptionTest, AFailedReadLeavesNothingInTheCache) {
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  ReadSpy spy;
  ASSERT_OK_AND_ASSIGN(const auto reader, OpenBytes(SmallFile(), cache, &spy));
  spy.failing_read = spy.reads.load();
  EXPECT_THAT(reader->NewScanner({})->Seek(""),
              StatusIs(absl::StatusCode::kUnavailable));
  const auto scanner = reader->NewScanner({});
  EXPECT_OK(scanner->Seek("")) << "another scanner reads anew";
  EXPECT_NE(scanner->cell(), nullptr);
}

}  // namespace
}  // namespace shale
