// One generation of a log, as its files tell it.
#ifndef SHALE_WAL_GENERATION_H_
#define SHALE_WAL_GENERATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/read_file.h"
#include "shale/wal/log_files.h"
#include "shale/wal/segment_header.h"

namespace shale {

struct LogSegment {
  std::string name;
  SegmentHeader header;
  std::unique_ptr<ReadFile> file;
  // Where its records end: the length at which it was sealed; for the last
  // segment of the log where the sound records end.
  uint64_t end_offset = 0;
};

// All segments that one owner wrote.
struct Generation {
  uint64_t epoch = 0;
  // Holds its `recovered` marker: everything of the generation before is in
  // this one. Otherwise its recovery was cut short, and it doesn't count.
  bool complete = false;
  // Without gaps, oldest first. Empty if no file has a sound header.
  std::vector<LogSegment> segments;
  // Just after the last sound record.
  LogPosition end;
  // Bytes behind the end that no record vouches for.
  uint64_t torn_bytes = 0;
};

// Reads and checks every byte of the generation whose files are `files`, in
// `directory`, of one epoch, by ascending id: follows the segments from the
// newest to the one where the kept part of the log begins. Files beside that
// chain are left out.
//   FAILED_PRECONDITION  a segment of another version
//   DATA_LOSS            a segment is missing, cut, or bad where it is known to
//                        have been durable; names file and offset
absl::StatusOr<Generation> ReadGeneration(FileSystem& file_system,
                                          absl::string_view directory,
                                          absl::Span<const LogFile> files);

}  // namespace shale

#endif  // SHALE_WAL_GENERATION_H_
