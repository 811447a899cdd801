#include "shale/wal/segment_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/segment_header.h"

namespace shale {
namespace {

// Calls `found` for each sound record of `epoch` in [from, limit), at whatever
// multiple of the alignment it begins, if by `fits` its position is one for a
// record of so many bytes at that offset.
absl::Status SearchRecords(
    BufferedReader& reader, uint64_t epoch, uint64_t from, uint64_t limit,
    absl::FunctionRef<bool(uint64_t offset, size_t bytes, LogPosition)> fits,
    absl::FunctionRef<void(uint64_t offset, size_t bytes, const LogRecord&)>
        found) {
  uint64_t offset = from;
  while (offset + kRecordHeaderBytes <= limit) {
    SHALE_ASSIGN_OR_RETURN(absl::string_view bytes,
                           reader.Read(offset, kRecordHeaderBytes));
    if (bytes.size() < kRecordHeaderBytes) break;
    const size_t size = RecordBytesAt(bytes);
    const RecordStamp stamp = PeekRecordStamp(bytes);
    // Nearly every place that holds no record ends here, unread. The epoch
    // alone doesn't see to that, as whoever writes values can guess it.
    if (size != 0 && size <= limit - offset && stamp.epoch == epoch &&
        fits(offset, size, stamp.position)) {
      SHALE_ASSIGN_OR_RETURN(bytes, reader.Read(offset, size));
      if (const absl::StatusOr<LogRecord> record = DecodeRecord(bytes);
          record.ok()) {
        found(offset, size, *record);
        offset += size;
        continue;
      }
    }
    offset += kRecordAlignment;
  }
  return absl::OkStatus();
}

}  // namespace

SegmentReader::SegmentReader(ReadFile& file, std::string name, SegmentId id,
                             LogPosition first, uint64_t limit)
    : reader_(file),
      name_(std::move(name)),
      id_(id),
      limit_(limit),
      position_(first),
      offset_(kSegmentHeaderBytes) {
  SHALE_CHECK(limit >= kSegmentHeaderBytes) << name_ << " " << limit;
}

absl::StatusOr<bool> SegmentReader::Next() {
  if (!damage_.ok() || offset_ == limit_) return false;
  const uint64_t left = limit_ - offset_;
  SHALE_ASSIGN_OR_RETURN(
      absl::string_view bytes,
      reader_.Read(offset_, std::min<uint64_t>(left, kRecordHeaderBytes)));
  if (bytes.size() < kRecordHeaderBytes) {
    return Damaged(absl::StrCat("cut off after ", bytes.size(), " bytes"));
  }
  const size_t size = RecordBytesAt(bytes);
  if (size == 0) return Damaged("impossible length");
  if (size > left) {
    return Damaged(absl::StrCat("takes ", size, " bytes, ", left, " are left"));
  }
  SHALE_ASSIGN_OR_RETURN(bytes, reader_.Read(offset_, size));
  absl::StatusOr<LogRecord> record = DecodeRecord(bytes);
  if (absl::IsDataLoss(record.status())) {
    return Damaged(record.status().message());
  }
  if (!record.ok()) {
    return absl::DataLossError(absl::StrCat(name_, ": record at offset ",
                                            offset_, ": ",
                                            record.status().message()));
  }
  const LogPosition end{position_.value + size};
  if (record->epoch != id_.epoch || record->position != end) {
    return Damaged(absl::StrCat("is one of epoch ", record->epoch, " at @",
                                record->position.value, ", want epoch ",
                                id_.epoch, " at @", end.value));
  }
  record_ = *record;
  record_offset_ = offset_;
  position_ = end;
  offset_ += size;
  return true;
}

bool SegmentReader::Damaged(absl::string_view what) {
  damage_ = absl::DataLossError(
      absl::StrCat(name_, ": record at offset ", offset_, ": ", what));
  return false;
}

absl::StatusOr<SegmentReader::Witness> SegmentReader::FindWitness() {
  Witness witness;
  SHALE_RETURN_IF_ERROR(SearchRecords(
      reader_, id_.epoch, offset_ + kRecordAlignment, limit_,
      [&](uint64_t offset, size_t bytes, LogPosition position) {
        return position.value == position_.value + (offset - offset_) + bytes;
      },
      [&](uint64_t offset, size_t, const LogRecord& record) {
        if (record.durable_to > witness.durable_to) {
          witness = {record.durable_to, offset};
        }
      }));
  return witness;
}

absl::StatusOr<HeaderlessSegment> ReadHeaderlessSegment(ReadFile& file,
                                                        SegmentId id) {
  BufferedReader reader(file);
  HeaderlessSegment segment;
  SHALE_RETURN_IF_ERROR(SearchRecords(
      reader, id.epoch, kSegmentHeaderBytes, file.size(),
      [](uint64_t offset, size_t bytes, LogPosition position) {
        return position.value >= offset + bytes - kSegmentHeaderBytes;
      },
      [&](uint64_t offset, size_t bytes, const LogRecord& record) {
        const uint64_t in_segment = offset + bytes - kSegmentHeaderBytes;
        segment.first = {record.position.value - in_segment};
        if (record.durable_to > segment.witness.durable_to) {
          segment.witness = {record.durable_to, offset};
        }
      }));
  return segment;
}

}  // namespace shale
