#ifndef SHALE_WAL_SEGMENT_WRITER_H_
#define SHALE_WAL_SEGMENT_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/append_file.h"
#include "shale/wal/pending_record.h"
#include "shale/wal/segment_header.h"
#include "shale/wal/wal.h"

namespace shale {

// Writes one segment. After an error nothing more may be asked of it. Sync may
// be called by several threads, beside the others, which are for one thread.
class SegmentWriter {
 public:
  // `file` is new and empty.
  SegmentWriter(std::string name, const SegmentHeader& header,
                std::unique_ptr<AppendFile> file);

  absl::Status WriteHeader();
  // Stamps the records and appends them in one piece. `durable_to` is how far
  // the log is known to be durable.
  absl::Status Write(absl::Span<PendingRecord* const> records,
                     LogPosition durable_to);
  absl::Status Sync(SyncLevel level);

  const std::string& name() const { return name_; }
  const SegmentHeader& header() const { return header_; }
  AppendFile& file() { return *file_; }
  // Just after the last record; and what the records take.
  LogPosition end() const { return end_; }
  uint64_t record_bytes() const { return end_.value - header_.first.value; }

 private:
  const std::string name_;
  const SegmentHeader header_;
  const std::unique_ptr<AppendFile> file_;
  LogPosition end_;
  std::string batch_;
};

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_WRITER_H_
