#include "shale/wal/record_codec.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using testing::HasSubstr;

LogEntry SampleEntry(absl::string_view payload) {
  LogEntry entry;
  entry.region.bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  entry.range = {{100}, {102}};
  entry.commit_timestamp = 1700000000000000;
  entry.nonce = {7, 9};
  entry.families = 0x8000000000000003;
  entry.payload = payload;
  return entry;
}

std::string SampleRecord(absl::string_view payload) {
  std::string record = EncodeRecord(SampleEntry(payload));
  StampRecord({.epoch = 5, .position = {5000}, .durable_to = {4000}}, &record);
  return record;
}

// Changes one byte of a record and makes the checksum right again.
std::string WithByte(std::string record, size_t offset, char byte) {
  record[offset] = byte;
  EncodeFixed32(record.data(), Crc32c(absl::string_view(record).substr(4)));
  return record;
}

TEST(RecordCodecTest, ARecordReadsBackAsItWasWritten) {
  const std::string bytes = SampleRecord("payload");
  ASSERT_OK_AND_ASSIGN(const LogRecord record, DecodeRecord(bytes));
  EXPECT_EQ(record.epoch, 5u);
  EXPECT_EQ(record.position, LogPosition{5000});
  EXPECT_EQ(record.durable_to, LogPosition{4000});
  const LogEntry want = SampleEntry("payload");
  EXPECT_EQ(record.entry.type, LogEntryType::kCells);
  EXPECT_EQ(record.entry.region, want.region);
  EXPECT_EQ(record.entry.range, want.range);
  EXPECT_EQ(record.entry.commit_timestamp, want.commit_timestamp);
  EXPECT_EQ(record.entry.nonce, want.nonce);
  EXPECT_EQ(record.entry.families, want.families);
  EXPECT_EQ(record.entry.payload, "payload");
}

TEST(RecordCodecTest, SizesAreMultiplesOfTheAlignment) {
  for (size_t payload = 0; payload <= 17; ++payload) {
    const std::string bytes = SampleRecord(std::string(payload, 'x'));
    EXPECT_EQ(bytes.size(), RecordBytes(payload));
    EXPECT_EQ(bytes.size() % kRecordAlignment, 0u);
    EXPECT_EQ(RecordBytesAt(bytes), bytes.size());
  }
  EXPECT_EQ(RecordBytes(kMaxPayloadBytes), kMaxRecordBytes);
}

TEST(RecordCodecTest, AnotherStampKeepsTheSize) {
  std::string bytes = SampleRecord("x");
  const size_t size = bytes.size();
  StampRecord({~uint64_t{0}, {~uint64_t{0}}, {0}}, &bytes);
  EXPECT_EQ(bytes.size(), size);
  EXPECT_OK(DecodeRecord(bytes));
}

// B002: padding counts as well as everything else.
TEST(RecordCodecTest, EveryFlippedBitIsFound) {
  const std::string good = SampleRecord("payload");
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THAT(DecodeRecord(bad), StatusIs(absl::StatusCode::kDataLoss))
        << "bit " << bit;
  }
}

TEST(RecordCodecTest, AnErrorTellsBothChecksums) {
  std::string bytes = SampleRecord("payload");
  EncodeFixed32(bytes.data(), 0x1234);
  EXPECT_THAT(DecodeRecord(bytes),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("want 0x00001234 (length 103)")));
}

TEST(RecordCodecTest, ZerosAreNoRecord) {
  EXPECT_EQ(RecordBytesAt(std::string(8, '\0')), 0u);
  EXPECT_THAT(DecodeRecord(std::string(104, '\0')),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(RecordCodecTest, AnImpossibleLengthIsNoRecord) {
  std::string head(8, '\0');
  for (const uint64_t length :
       {uint64_t{1}, uint64_t{95}, uint64_t{kMaxRecordBytes + 1},
        uint64_t{0xffffffff}}) {
    EncodeFixed32(&head[4], static_cast<uint32_t>(length));
    EXPECT_EQ(RecordBytesAt(head), 0u) << length;
  }
  EncodeFixed32(&head[4], kMaxRecordBytes);
  EXPECT_EQ(RecordBytesAt(head), kMaxRecordBytes);
}

TEST(RecordCodecTest, ASoundChecksumOverImpossibleContentsIsNotDamage) {
  const std::string good = SampleRecord("payload");
  const auto is_internal = [](absl::string_view text) {
    return StatusIs(absl::StatusCode::kInternal, HasSubstr(std::string(text)));
  };
  EXPECT_THAT(DecodeRecord(WithByte(good, 92, 9)), is_internal("unknown type"));
  EXPECT_THAT(DecodeRecord(WithByte(good, 93, 1)), is_internal("reserved"));
  EXPECT_THAT(DecodeRecord(WithByte(good, 103, 1)), is_internal("padding"));
  EXPECT_THAT(DecodeRecord(WithByte(good, 88, 0)), is_internal("numbers"));
  EXPECT_THAT(DecodeRecord(WithByte(good, 55, '\x80')), is_internal("numbers"));
  EXPECT_THAT(DecodeRecord(WithByte(good, 31, 1)), is_internal("durable to"));
}

// The number before the first would be the largest of all.
TEST(RecordCodecTest, NoNumbersFromZeroOnAreNotAllNumbers) {
  LogEntry entry = SampleEntry("payload");
  entry.range = {{0}, {0}};
  std::string one = EncodeRecord(entry);
  StampRecord({.epoch = 5, .position = {5000}, .durable_to = {4000}}, &one);
  EXPECT_OK(DecodeRecord(one));
  EXPECT_THAT(DecodeRecord(WithByte(one, 88, 0)),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("impossible write numbers: 0 from 0")));
}

TEST(RecordCodecTest, RandomBytesNeverDecode) {
  Random random(TestSeed());
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = random.Bytes(RecordBytes(random.Uniform(64)));
    EncodeFixed32(&bytes[4], static_cast<uint32_t>(bytes.size()));
    EXPECT_FALSE(DecodeRecord(bytes).ok());
  }
}

TEST(RecordCodecTest, EveryTypeHasANameOfItsOwn) {
  for (int code = 0; code < 256; ++code) {
    const absl::string_view name =
        LogEntryTypeName(static_cast<LogEntryType>(code));
    EXPECT_EQ(name == "unknown", !IsLogEntryType(static_cast<uint8_t>(code)))
        << code;
  }
}

}  // namespace
}  // namespace shale
