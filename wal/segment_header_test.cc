#include "shale/wal/segment_header.h"

#include <cstddef>
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

SegmentHeader Sample() {
  return {.id = {3, 12},
          .first = {1 << 20},
          .generation_start = {4096},
          .kept_from = {8192},
          .recovered_at = {5000},
          .source_epoch = 2,
          .predecessor = 11,
          .predecessor_bytes = 70000,
          .created = absl::FromUnixMicros(1700000000123456)};
}

TEST(SegmentHeaderTest, AHeaderReadsBackAsItWasWritten) {
  const std::string bytes = EncodeSegmentHeader(Sample());
  EXPECT_EQ(bytes.size(), kSegmentHeaderBytes);
  EXPECT_THAT(DecodeSegmentHeader(bytes + "records"), IsOkAndHolds(Sample()));
}

TEST(SegmentHeaderTest, EveryFlippedBitIsFound) {
  const std::string good = EncodeSegmentHeader(Sample());
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THAT(DecodeSegmentHeader(bad),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("crc32c")))
        << "bit " << bit;
  }
}

TEST(SegmentHeaderTest, EveryShorterOneIsRefused) {
  const std::string good = EncodeSegmentHeader(Sample());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(DecodeSegmentHeader(good.substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss,
                         HasSubstr(absl::StrCat(size, " bytes, want 104"))));
  }
}

TEST(SegmentHeaderTest, AnotherVersionIsNamedWhateverFollows) {
  std::string bytes = EncodeSegmentHeader(Sample()).substr(0, 16);
  EncodeFixed32(&bytes[8], 2);
  EncodeFixed32(&bytes[12], Crc32c(bytes.substr(0, 12)));
  EXPECT_THAT(DecodeSegmentHeader(bytes + "anything"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("version 2, want 1")));
}

TEST(SegmentHeaderTest, AnotherKindOfFileIsRefused) {
  std::string bytes = EncodeSegmentHeader(Sample());
  bytes.replace(0, 8, "SHALESST");
  EncodeFixed32(&bytes[12], Crc32c(bytes.substr(0, 12)));
  EXPECT_THAT(DecodeSegmentHeader(bytes),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("magic")));
}

}  // namespace
}  // namespace shale
