#include "shale/wal/segment_writer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/wal/record_codec.h"

namespace shale {

SegmentWriter::SegmentWriter(std::string name, const SegmentHeader& header,
                             std::unique_ptr<AppendFile> file)
    : name_(std::move(name)),
      header_(header),
      file_(std::move(file)),
      end_(header.first) {}

absl::Status SegmentWriter::WriteHeader() {
  return file_->AppendNow(EncodeSegmentHeader(header_)).status();
}

absl::Status SegmentWriter::Write(absl::Span<PendingRecord* const> records,
                                  LogPosition durable_to) {
  batch_.clear();
  for (PendingRecord* record : records) {
    StampRecord({header_.id.epoch, record->end, durable_to}, &record->bytes);
    // A record alone, which may be large, is written from where it is.
    if (records.size() > 1) absl::StrAppend(&batch_, record->bytes);
  }
  const absl::string_view bytes =
      records.size() > 1 ? absl::string_view(batch_) : records.front()->bytes;
  SHALE_RETURN_IF_ERROR(file_->AppendNow(bytes).status());
  end_ = records.back()->end;
  return absl::OkStatus();
}

absl::Status SegmentWriter::Sync(SyncLevel level) {
  return file_->SyncNow(level == SyncLevel::kFull ? SyncMode::kFull
                                                  : SyncMode::kData);
}

}  // namespace shale
