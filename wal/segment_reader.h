// Reads the records of one log segment.
#ifndef SHALE_WAL_SEGMENT_READER_H_
#define SHALE_WAL_SEGMENT_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/read_file.h"
#include "shale/wal/buffered_reader.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/segment_name.h"

namespace shale {

// Gives a segment's records one by one and stops at the first bytes that are
// none. Whether those are the end of the log or damage is not for it to say: a
// crash leaves any part of what was not synced. But it can look for a witness,
// a later record that says how far the log was known to be durable when it was
// written. Not thread-safe. The file must outlive it.
class SegmentReader {
 public:
  struct Witness {
    // The log was durable up to here; kLogStart if nothing says so.
    LogPosition durable_to;
    uint64_t offset = 0;  // Of the record that says it.
  };

  // Reads the records of the segment `id`, in the file `name`, up to the offset
  // `limit`; the first begins at `first`.
  SegmentReader(ReadFile& file, std::string name, SegmentId id,
                LogPosition first, uint64_t limit);

  // Whether there is another record, which record() then is. After false, every
  // later call gives false. An error is a failed read, or DATA_LOSS for a
  // record with a sound checksum that this version can't understand.
  absl::StatusOr<bool> Next();

  // The views in it are valid until the next call.
  const LogRecord& record() const { return record_; }
  uint64_t record_offset() const { return record_offset_; }

  // Where the next record begins, in the log and in the file.
  LogPosition position() const { return position_; }
  uint64_t offset() const { return offset_; }

  // After Next() gave false: OK if the records end at `limit`, else DATA_LOSS
  // naming file and offset and what is wrong there.
  const absl::Status& damage() const { return damage_; }

  // After damage: the record further on that says most.
  absl::StatusOr<Witness> FindWitness();

 private:
  bool Damaged(absl::string_view what);

  BufferedReader reader_;
  const std::string name_;
  const SegmentId id_;
  const uint64_t limit_;
  LogPosition position_;
  uint64_t offset_;
  LogRecord record_;
  uint64_t record_offset_ = 0;
  absl::Status damage_;
};

// What the records of a segment say whose own header is unreadable.
struct HeaderlessSegment {
  // Where the segment begins, from a record's position and offset; kLogStart if
  // it holds no record. The log was durable up to there before the segment was
  // begun.
  LogPosition first;
  // The log was durable up to here; the header too, if this is above `first`.
  SegmentReader::Witness witness;
};
absl::StatusOr<HeaderlessSegment> ReadHeaderlessSegment(ReadFile& file,
                                                        SegmentId id);

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_READER_H_
