// A log record as bytes: docs/formats/wal.md.
#ifndef SHALE_WAL_RECORD_CODEC_H_
#define SHALE_WAL_RECORD_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"
#include "shale/cell/log_position.h"
#include "shale/wal/log_entry.h"

namespace shale {

// Records begin at multiples of this from the end of the segment's header.
inline constexpr size_t kRecordAlignment = 8;
inline constexpr size_t kRecordHeaderBytes = 96;
// A whole record: header, payload and padding.
inline constexpr size_t kMaxRecordBytes = 64 << 20;
inline constexpr size_t kMaxPayloadBytes = kMaxRecordBytes - kRecordHeaderBytes;

// What a record with this payload takes. REQUIRES: <= kMaxPayloadBytes.
size_t RecordBytes(size_t payload_bytes);

// The record of `entry`, complete but for what StampRecord fills in.
// REQUIRES: 1 to 2^32-1 write numbers, payload <= kMaxPayloadBytes.
std::string EncodeRecord(const LogEntry& entry);

// Where and when a record is written.
struct RecordStamp {
  uint64_t epoch = 0;
  LogPosition position;    // Just after the record.
  LogPosition durable_to;  // At most where the record begins.
};

// Completes a record, so that its checksum is right. May be done again with
// another stamp: the fields are fixed, so a record that is appended again to a
// new segment keeps its size and with it its position.
void StampRecord(const RecordStamp& stamp, std::string* record);

// How many bytes the record takes that begins with `head`; 0 if its length
// field can't be one. REQUIRES: head.size() >= 8.
size_t RecordBytesAt(absl::string_view head);

// The stamp of what may be a record, unchecked: a cheap filter before
// DecodeRecord. REQUIRES: bytes.size() >= kRecordHeaderBytes.
RecordStamp PeekRecordStamp(absl::string_view bytes);

// Decodes exactly one record; the payload points into `bytes`.
//   DATA_LOSS   the bytes are no record: says which checksum it has and should
//               have, or what else is wrong
//   INTERNAL    the checksum is right and the contents are impossible, so this
//               is how they were written
absl::StatusOr<LogRecord> DecodeRecord(absl::string_view bytes);

}  // namespace shale

#endif  // SHALE_WAL_RECORD_CODEC_H_
