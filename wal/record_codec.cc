#include "shale/wal/record_codec.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"

namespace shale {
namespace {

// Offsets of the fields; every integer lies at a multiple of its size.
constexpr size_t kCrcAt = 0;
constexpr size_t kLengthAt = 4;
constexpr size_t kEpochAt = 8;
constexpr size_t kPositionAt = 16;
constexpr size_t kDurableToAt = 24;
constexpr size_t kRegionAt = 32;
constexpr size_t kFirstNumberAt = 48;
constexpr size_t kCommitTimestampAt = 56;
constexpr size_t kNonceGroupAt = 64;
constexpr size_t kNonceAt = 72;
constexpr size_t kFamiliesAt = 80;
constexpr size_t kCountAt = 88;
constexpr size_t kTypeAt = 92;
constexpr size_t kReservedAt = 93;
static_assert(kReservedAt + 3 == kRecordHeaderBytes);
static_assert(kRecordHeaderBytes % kRecordAlignment == 0);

size_t Padded(size_t bytes) {
  return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
}

uint32_t Checksum(absl::string_view record) {
  return Crc32c(record.substr(kCrcAt + 4));
}

bool AllZero(absl::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char byte) { return byte == 0; });
}

LogRecord DecodeFields(absl::string_view bytes, size_t length) {
  const char* const at = bytes.data();
  LogRecord record;
  record.epoch = DecodeFixed64(at + kEpochAt);
  record.position.value = DecodeFixed64(at + kPositionAt);
  record.durable_to.value = DecodeFixed64(at + kDurableToAt);
  LogEntry& entry = record.entry;
  entry.type = static_cast<LogEntryType>(at[kTypeAt]);
  std::memcpy(entry.region.bytes.data(), at + kRegionAt, Uuid::kBytes);
  entry.range.first.value = DecodeFixed64(at + kFirstNumberAt);
  entry.range.last =
      entry.range.first + (uint64_t{DecodeFixed32(at + kCountAt)} - 1);
  entry.commit_timestamp =
      static_cast<Timestamp>(DecodeFixed64(at + kCommitTimestampAt));
  entry.nonce.group = DecodeFixed64(at + kNonceGroupAt);
  entry.nonce.nonce = DecodeFixed64(at + kNonceAt);
  entry.families = DecodeFixed64(at + kFamiliesAt);
  entry.payload = bytes.substr(kRecordHeaderBytes, length - kRecordHeaderBytes);
  return record;
}

absl::Status CheckContents(absl::string_view bytes, size_t length,
                           const LogRecord& record) {
  const uint8_t type = static_cast<uint8_t>(bytes[kTypeAt]);
  if (!IsLogEntryType(type)) {
    return absl::InternalError(absl::StrCat("unknown type ", type));
  }
  if (!AllZero(bytes.substr(kReservedAt, 3)) ||
      !AllZero(bytes.substr(length))) {
    return absl::InternalError("reserved bytes or padding are not zero");
  }
  const WriteRange range = record.entry.range;
  const uint32_t count = DecodeFixed32(&bytes[kCountAt]);
  if (count == 0 || range.last < range.first ||
      range.last >= kWriteNumberLimit) {
    return absl::InternalError(absl::StrCat("impossible write numbers: ", count,
                                            " from ", range.first.value));
  }
  if (record.position.value < bytes.size() ||
      record.durable_to.value > record.position.value - bytes.size()) {
    return absl::InternalError(absl::StrCat(
        "position @", record.position.value, " with ", bytes.size(),
        " bytes, durable to @", record.durable_to.value));
  }
  return absl::OkStatus();
}

}  // namespace

size_t RecordBytes(size_t payload_bytes) {
  SHALE_CHECK(payload_bytes <= kMaxPayloadBytes) << payload_bytes;
  return Padded(kRecordHeaderBytes + payload_bytes);
}

std::string EncodeRecord(const LogEntry& entry) {
  const uint64_t count = entry.range.last.value - entry.range.first.value + 1;
  SHALE_CHECK(entry.range.first <= entry.range.last && count != 0 &&
              count <= std::numeric_limits<uint32_t>::max())
      << "write numbers " << entry.range.first << " to " << entry.range.last;
  std::string record(RecordBytes(entry.payload.size()), '\0');
  char* const at = record.data();
  EncodeFixed32(at + kLengthAt, static_cast<uint32_t>(kRecordHeaderBytes +
                                                      entry.payload.size()));
  std::memcpy(at + kRegionAt, entry.region.bytes.data(), Uuid::kBytes);
  EncodeFixed64(at + kFirstNumberAt, entry.range.first.value);
  EncodeFixed64(at + kCommitTimestampAt,
                static_cast<uint64_t>(entry.commit_timestamp));
  EncodeFixed64(at + kNonceGroupAt, entry.nonce.group);
  EncodeFixed64(at + kNonceAt, entry.nonce.nonce);
  EncodeFixed64(at + kFamiliesAt, entry.families);
  EncodeFixed32(at + kCountAt, static_cast<uint32_t>(count));
  at[kTypeAt] = static_cast<char>(entry.type);
  std::copy(entry.payload.begin(), entry.payload.end(),
            at + kRecordHeaderBytes);
  return record;
}

void StampRecord(const RecordStamp& stamp, std::string* record) {
  char* const at = record->data();
  EncodeFixed64(at + kEpochAt, stamp.epoch);
  EncodeFixed64(at + kPositionAt, stamp.position.value);
  EncodeFixed64(at + kDurableToAt, stamp.durable_to.value);
  EncodeFixed32(at + kCrcAt, Checksum(*record));
}

size_t RecordBytesAt(absl::string_view head) {
  const uint32_t length = DecodeFixed32(head.data() + kLengthAt);
  if (length < kRecordHeaderBytes || length > kMaxRecordBytes) return 0;
  return Padded(length);
}

RecordStamp PeekRecordStamp(absl::string_view bytes) {
  return {.epoch = DecodeFixed64(bytes.data() + kEpochAt),
          .position = {DecodeFixed64(bytes.data() + kPositionAt)},
          .durable_to = {DecodeFixed64(bytes.data() + kDurableToAt)}};
}

absl::StatusOr<LogRecord> DecodeRecord(absl::string_view bytes) {
  if (bytes.size() < kRecordHeaderBytes ||
      RecordBytesAt(bytes) != bytes.size()) {
    return absl::DataLossError(
        absl::StrCat("impossible length in ", bytes.size(), " bytes"));
  }
  const size_t length = DecodeFixed32(bytes.data() + kLengthAt);
  const uint32_t want = DecodeFixed32(bytes.data() + kCrcAt);
  const uint32_t got = Checksum(bytes);
  if (got != want) {
    return absl::DataLossError(
        absl::StrFormat("crc32c %#010x, want %#010x (length %d)", got, want,
                        static_cast<int64_t>(length)));
  }
  const LogRecord record = DecodeFields(bytes, length);
  if (absl::Status sound = CheckContents(bytes, length, record); !sound.ok()) {
    return sound;
  }
  return record;
}

}  // namespace shale
