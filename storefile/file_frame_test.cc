#include "shale/storefile/file_frame.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::HasSubstr;

// Of a file with an index, a bloom and an info block of 100 bytes each.
FileFooter SampleFooter() {
  FileFooter footer;
  footer.index = {.handle = {.offset = 1000, .bytes = 100}, .levels = 2};
  footer.bloom = {.handle = {.offset = 1100, .bytes = 100}, .levels = 1};
  footer.info = {.offset = 1200, .bytes = 100};
  footer.file_bytes = 1300 + kFileFooterBytes;
  return footer;
}

std::string Resealed(std::string bytes) {
  bytes.resize(bytes.size() - 4);
  PutFixed32(&bytes, Crc32c(bytes));
  return bytes;
}

absl::Status Decode(const FileFooter& footer) {
  return DecodeFileFooter(EncodeFileFooter(footer), footer.file_bytes).status();
}

TEST(FileFrameTest, HeaderIsTheDocumentedOne) {
  const std::string header = EncodeFileHeader();
  EXPECT_EQ(header.size(), kFileHeaderBytes);
  EXPECT_EQ(header.substr(0, 12), std::string("SHALESTF\1\0\0\0", 12));
  EXPECT_OK(CheckFileHeader(header));
}

TEST(FileFrameTest, EveryFlippedBitOfTheHeaderIsFound) {
  for (size_t bit = 0; bit < 8 * kFileHeaderBytes; ++bit) {
    std::string bad = EncodeFileHeader();
    bad[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_THAT(CheckFileHeader(bad),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("offset 0")));
  }
  EXPECT_THAT(CheckFileHeader("SHALESTF"),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(FileFrameTest, ANewerHeaderIsNoDamage) {
  std::string newer = EncodeFileHeader();
  newer[8] = 2;
  EXPECT_THAT(CheckFileHeader(Resealed(newer)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "store file of version 2, this build reads versions 1 "
                       "to 1"));
}

TEST(FileFrameTest, AFooterComesBack) {
  const FileFooter footer = SampleFooter();
  const std::string bytes = EncodeFileFooter(footer);
  ASSERT_EQ(bytes.size(), kFileFooterBytes);
  ASSERT_OK_AND_ASSIGN(const FileFooter read,
                       DecodeFileFooter("more" + bytes, footer.file_bytes));
  EXPECT_EQ(EncodeFileFooter(read), bytes);
  EXPECT_EQ(read.tail_offset(), 1000u);
  EXPECT_EQ(read.offset(), 1300u);
}

TEST(FileFrameTest, EveryFlippedBitOfTheFooterIsFound) {
  const FileFooter footer = SampleFooter();
  for (size_t bit = 0; bit < 8 * kFileFooterBytes; ++bit) {
    std::string bad = EncodeFileFooter(footer);
    bad[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_THAT(
        DecodeFileFooter(bad, footer.file_bytes),
        StatusIs(absl::StatusCode::kDataLoss, HasSubstr("offset 1300")));
  }
}

TEST(FileFrameTest, AFooterOfAnotherLengthIsRefused) {
  const std::string bytes = EncodeFileFooter(SampleFooter());
  EXPECT_THAT(DecodeFileFooter(bytes, 9999),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("file of 9999 bytes, want 1362")));
  EXPECT_THAT(DecodeFileFooter("", 0),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("file of 0 bytes, want at least")));
}

TEST(FileFrameTest, RootsAndInfoMustFillTheEndOfTheFile) {
  EXPECT_OK(Decode(SampleFooter()));
  FileFooter gap = SampleFooter();
  gap.bloom.handle.offset -= 1;
  EXPECT_THAT(Decode(gap), StatusIs(absl::StatusCode::kDataLoss));
  FileFooter overlap = SampleFooter();
  overlap.index.handle.bytes += 1;
  EXPECT_THAT(Decode(overlap), StatusIs(absl::StatusCode::kDataLoss));
  FileFooter outside = SampleFooter();
  outside.index.handle = {.offset = 10, .bytes = 1090};
  EXPECT_THAT(Decode(outside), StatusIs(absl::StatusCode::kDataLoss));
  FileFooter deep = SampleFooter();
  deep.index.levels = kMaxIndexLevels + 1;
  EXPECT_THAT(Decode(deep), StatusIs(absl::StatusCode::kDataLoss));
  FileFooter ghost = SampleFooter();
  ghost.bloom.levels = 0;
  EXPECT_THAT(Decode(ghost), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(FileFrameTest, AFileWithoutCellsHasNoRoots) {
  FileFooter footer;
  footer.info = {.offset = kFileHeaderBytes, .bytes = 50};
  footer.file_bytes = kFileHeaderBytes + 50 + kFileFooterBytes;
  EXPECT_OK(Decode(footer));
  EXPECT_EQ(footer.tail_offset(), kFileHeaderBytes);
}

}  // namespace
}  // namespace shale
